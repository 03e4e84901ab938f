import vitalwire

with vitalwire.Client.from_env() as client:
    try:
        report = client.lab_reports.upload_and_wait("blood-count.pdf", wait_timeout=120)
    except vitalwire.VitalwireError as error:
        if error.record_id is None:  # The upload itself failed.
            raise
        print("the wait failed; waiting again for the same record")
        report = client.lab_reports.wait_for(error.record_id)
    print("status:", report.status)
    for section in report.sections or ():
        for result in section.results or ():
            print(result.standard_test_name, result.value, result.standard_unit_name)
