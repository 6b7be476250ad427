; The Windows set-up of Desk Assistant. UNVERIFIED: nobody has run it yet, see packaging/README.md.
; Version, Program, Icon, OutDir, OutName and, for the full file, Models are given by packaging/installer/windows.py.

[Setup]
AppId={{6E5C1F0B-58A5-4C0E-9C55-1F6A7D0C9E42}
AppName=Desk Assistant
AppVersion={#Version}
AppPublisher=The Desk Assistant authors
DefaultDirName={localappdata}\Programs\Desk Assistant
DefaultGroupName=Desk Assistant
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir={#OutDir}
OutputBaseFilename={#OutName}
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\desk-assistant.ico
Compression=lzma2/normal
SolidCompression=yes
CloseApplications=yes
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"

[InstallDelete]
; A module of an earlier version that is gone must not be found any more.
Type: filesandordirs; Name: "{app}\python"

[Files]
Source: "{#Program}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs
Source: "{#Icon}"; DestDir: "{app}"; Flags: ignoreversion
#ifdef Models
Source: "{#Models}\*"; DestDir: "{app}\models"; Flags: ignoreversion recursesubdirs createallsubdirs
#endif

[Icons]
Name: "{group}\Desk Assistant"; Filename: "{app}\bin\desk-assistant.cmd"; IconFilename: "{app}\desk-assistant.ico"

[Registry]
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}\bin"; Check: NotOnPath

[Code]
const
  Older = 'A newer version is installed. An older version may be unable to read what the newer one has written. Uninstall it first to go back; your conversations and memory stay.';
  Stays = 'Desk Assistant is gone. Your conversations, memory and models are still in %s. Delete that folder if you do not want them any more.';

function NotOnPath: Boolean;
var
  Paths: String;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Paths) then
    Paths := '';
  Result := Pos(';' + ExpandConstant('{app}\bin') + ';', ';' + Paths + ';') = 0;
end;

function InitializeSetup: Boolean;
var
  Key, Installed: String;
  Here, Fresh: Int64;
begin
  Result := True;
  Key := 'Software\Microsoft\Windows\CurrentVersion\Uninstall\{6E5C1F0B-58A5-4C0E-9C55-1F6A7D0C9E42}_is1';
  if RegQueryStringValue(HKCU, Key, 'DisplayVersion', Installed) then
    if StrToVersion(Installed, Here) and StrToVersion('{#Version}', Fresh) and (ComparePackedVersion(Here, Fresh) > 0) then
    begin
      SuppressibleMsgBox(Older, mbError, MB_OK, IDOK);
      Result := False;
    end;
end;

procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
begin
  if CurUninstallStep = usPostUninstall then
    SuppressibleMsgBox(Format(Stays, [ExpandConstant('{localappdata}\desk-assistant')]), mbInformation, MB_OK, IDOK);
end;
