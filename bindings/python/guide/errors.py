import datetime

import vitalwire


def advise(error: vitalwire.VitalwireError) -> str:
    """Returns advice for a failed call."""
    if error.may_have_taken_effect:
        return "look for the record before you send it again"
    if error.is_transient:
        return f"try again in {error.retry_after or 60:.0f} s"
    if isinstance(error, vitalwire.AuthenticationError):
        return "sign in again"
    if isinstance(error, vitalwire.NotFoundError):
        return "tell the user that the record is gone"
    if isinstance(error, vitalwire.InvalidArgumentError):
        return f"correct the argument {error.argument}"
    if isinstance(error, vitalwire.InvalidRequestError) and error.problem is not None:
        fields = [item.location or "?" for item in error.problem.errors or ()]
        return f"correct {', '.join(fields)}"
    return f"report the error, with the request id {error.request_id}"


day, unknown_id = datetime.date(2025, 11, 20), "00000000-0000-4000-8000-000000000000"
with vitalwire.Sandbox(today=day) as sandbox, sandbox.client() as client:
    sandbox.add_fault("status; status=503; retry_after=300; operation=get_user_info")
    sandbox.add_fault("reset_after; operation=upload_lab_report")
    for call in (
        lambda: client.user.info(),
        lambda: client.lab_reports.upload(b"%PDF-1.4", "blood-count.pdf"),
        lambda: client.user.properties(token="expired"),
        lambda: client.sleeps.get(unknown_id),
        lambda: client.statistics.daily(day, day, []),
        lambda: client.statistics.daily(day, day, ["step"]),
    ):
        try:
            call()
        except vitalwire.VitalwireError as error:
            print(error.code, f"{error.kind}:", advise(error))
