vitalwire sandbox --bind 127.0.0.1:8080 --db sandbox.db --time-scale 60 --processing typical
vitalwire sandbox --people 30 --missing 0.1 --effects all
vitalwire sandbox --webhook-url http://127.0.0.1:9000/ --fault "status; status=503; times=2; operation=get_user_info"
