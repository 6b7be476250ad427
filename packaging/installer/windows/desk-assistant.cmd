@echo off
rem Starts Desk Assistant with its own interpreter. UNVERIFIED, see packaging/README.md.
setlocal
set PYTHONHOME=
set PYTHONPATH=
set PYTHONSTARTUP=
set PYTHONNOUSERSITE=1
set PYTHONSAFEPATH=1
set PYTHONDONTWRITEBYTECODE=1
set PYTHONUTF8=1
"%~dp0..\python\python.exe" -m desk_assistant %*
exit /b %ERRORLEVEL%
