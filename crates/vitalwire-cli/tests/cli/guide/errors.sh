code=0
vitalwire sleep 00000000-0000-4000-8000-000000000000 || code=$?
case $code in
  0) ;;
  13 | 14) echo "exit code $code: try again later" ;;
  *) echo "exit code $code: correct the command" ;;
esac
