import pickle

from vitalwire import cohort

credentials = cohort.UserCredentials.from_file("users.csv")
credentials.check()  # Sends no request.
plan = cohort.plan(credentials, ["daily", "sleeps"], "2025-11-14", "2025-11-20")
exchanges = plan.token_exchanges(credentials)
print(exchanges, "token exchanges, about", plan.requests, "requests")
with cohort.read(plan, credentials) as reader:
    print(sum(map(len, reader)), "rows,", len(reader.failures), "failures")
print("the pickle has the path of the file:", b"users.csv" in pickle.dumps(credentials))
