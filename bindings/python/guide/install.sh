# --8<-- [start:clone]
git clone https://github.com/vitalwire/vitalwire
cd vitalwire
python3 -m venv .venv
. .venv/bin/activate
# --8<-- [end:clone]
# --8<-- [start:python]
pip install './bindings/python[pandas,plot,polars]' ./bindings/python/sandbox
# --8<-- [end:python]
# --8<-- [start:data]
pip install './bindings/python[arrow,polars]' ./bindings/python/sandbox duckdb
# --8<-- [end:data]
# --8<-- [start:check]
python -c 'import vitalwire; print(vitalwire.__version__)'
vitalwire demo
# --8<-- [end:check]
