vitalwire --sandbox --people 50 cohort export --tables daily,sleeps --from -90d --out study
vitalwire cohort verify study
vitalwire cohort coverage study
