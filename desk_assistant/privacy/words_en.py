"""English words the filter listens for. Parallel to `words_zh`; a third language is one more file like this."""

from __future__ import annotations

from typing import Final

CUES: Final[dict[str, tuple[str, ...]]] = {
    "password": (
        "password", "passwd", "pgpassword", "dbpassword", "rootpassword", "userpassword", "adminpassword", "mypassword", "ftppassword", "passcode", "pass code", "pass word", "pwd", "pw", "psw", "pswd", "pass", "master password",
        "wifi key", "wi-fi key", "wpa key", "wpa2 key", "network key", "encryption password", "app password",
        "login password", "wifi pass", "share code", "extraction code", "recovery code", "backup code", "backup codes",
        "recovery codes", "recovery key", "bitlocker key", "filevault key", "bitlocker recovery key", "license key", "product key", "invite password", "pre-shared key", "psk",
    ),
    "phrase": ("passphrase", "pass phrase", "safe word", "safeword", "code word", "codeword"),
    "answer": (
        "secret answer", "security answer", "recovery answer", "answer to my security question", "maiden name",
        "answer to the security question", "security question answer", "security question",
    ),
    "pin": (
        "pin", "pin code", "pin number", "atm pin", "puk", "puk code", "sim pin", "card pin", "voicemail pin", "cvv", "cvc",
        "cvv2", "cvc2", "cv2", "cid code", "card security code", "card verification code", "card verification number", "verification number", "ccv", "csc", "card verification value", "three digit code", "3 digit code", "three-digit code", "3-digit code", "security digits",
        "three digits on the back", "3 digits on the back", "unlock code", "voicemail code", "screen lock",
    ),
    "lock": (
        "door code", "gate code", "garage code", "alarm code", "entry code", "building entry", "gate entry", "building code is", "keypad code", "lock code",
        "access code to the building", "safe code", "safe combination", "lock combination", "combination", "combo",
        "locker combo", "locker combination", "locker code", "lockbox code", "lockbox", "key box code", "key safe code",
        "padlock", "padlock code", "bike lock", "luggage lock", "suitcase lock", "elevator code", "front door code",
        "disarm code", "door pin", "gate pin", "buzzer code", "garage keypad", "door keypad", "intercom code",
        "parking code", "pool code", "mailbox code", "room code", "vault code", "apartment code", "shed code",
        "opens with", "alarm", "keypad", "safe opens with", "back door code", "lobby code", "office code",
    ),
    "opener": ("unlock", "unlocks", "open", "opens", "disarm", "unlocking", "opening"),
    "otp": (
        "otp", "otp code", "one-time password", "one time password", "one-time passcode", "one time passcode",
        "one-time code", "one time code", "verification code", "verify code", "login code", "log-in code", "sign-in code",
        "signin code", "sms code", "text code", "2fa code", "2fa", "mfa code", "mfa", "two-factor code", "two factor code",
        "auth code", "authentication code", "authenticator code", "authenticator", "authenticator shows", "confirmation code",
        "authorization code", "temporary code", "temp code", "2-step code", "two-step code", "6-digit code", "6 digit code",
        "six digit code", "six-digit code", "4-digit code", "reset code", "activation code", "totp", "token code",
        "device code", "passkey code", "pairing code", "security token", "4 digit code", "four-digit code", "rsa token",
    ),
    "code": ("code", "security code", "access code", "use code", "enter code", "code of"),
    "use": ("use", "enter", "type", "input", "type in"),
    "apikey": (
        "api key", "apikey", "api_key", "api-key", "api token", "api_token", "api secret", "api_secret", "access token",
        "access_token", "access key", "access_key", "access key id", "secret access key", "secret_access_key", "secret key",
        "secret_key", "secretkey", "client secret", "client_secret", "clientsecret", "app secret", "app_secret",
        "appsecret", "auth token", "auth_token", "authtoken", "_authtoken", "bearer", "bearer token", "refresh token",
        "refresh_token", "private key", "private_key", "token", "webhook secret", "signing secret", "signing key",
        "encryption key", "encryption_key", "secret", "key", "bot token", "pat", "personal access token",
        "deploy key", "deploy token", "service key", "account key", "accountkey", "sharedaccesskey", "subscription key",
        "x-api-key", "session token", "session cookie", "session key", "jwt", "hmac key", "hmac secret", "license token",
        "webhook key", "sdk key", "dsn", "credential", "aes key", "master key", "sas token", "oauth token", "jwt secret",
    ),
    "card": (
        "credit card", "debit card", "card number", "card no", "card #", "card", "visa", "mastercard", "master card",
        "amex", "american express", "discover card", "cc number", "cc#", "bank card", "maestro", "unionpay", "diners",
        "cc",
    ),
    "bank": (
        "account number", "account no", "account #", "acct number", "acct no", "acct #", "acct", "acc", "acc no", "a/c", "a/c no",
        "bank account", "checking account", "savings account", "checking", "savings", "account", "routing", "routing number",
        "aba", "aba number", "aba routing", "sort code", "bsb", "transit number", "beneficiary account", "clabe",
        "direct deposit", "current account", "business account", "giro account", "kontonummer",
    ),
    "iban": ("iban",),
    "cnid": ("chinese id", "resident id", "id card", "identity card", "china id"),
    "ssn": ("ssn", "social security", "social security number", "social security no", "social", "ssn#", "itin"),
    "nino": ("national insurance", "national insurance number", "ni number", "nino", "ni no", "nat ins no", "nat insurance"),
    "passport": ("passport", "passport number", "passport no", "passport #", "passport id", "pasaporte"),
    "licence": (
        "driver's license", "drivers license", "driver license", "driving license", "driving licence", "driver's licence",
        "drivers licence", "driver licence", "license", "licence", "license number", "licence number", "license no", "licence no",
        "dl number", "dl", "dl#", "dl no", "dln", "driver's lic", "driver id", "drivers lic",
    ),
    "medical": (
        "nhs", "nhs number", "nhs no", "medical record", "medical record number", "mrn", "medicare", "medicaid",
        "medicare id", "medicare number", "health insurance", "health card", "insurance id", "insurance number", "member id",
        "member number", "policy number", "patient id", "patient number", "patient no", "health id", "insurance member id",
        "insurance policy", "subscriber id", "medical id", "hospital number", "chart number", "health insurance number",
        "ohip", "health plan id", "ehic", "insurance card", "blue cross id", "blue cross", "aetna id", "cigna id", "kaiser id", "humana id", "group number", "medicaid id", "hospital id", "chi number",
    ),
    "national": (
        "sin", "social insurance number", "social insurance", "nric", "fin number", "aadhaar", "aadhar", "pan card", "pan number", "cpf",
        "national id", "national id number", "identity number", "id number", "dni", "nie", "codice fiscale", "personnummer",
        "bsn", "pesel", "nif", "tfn", "tax file number", "tax id", "tin", "ein", "steuer-id", "steuernummer", "curp",
        "mykad", "hkid", "hong kong id", "my number card", "resident registration number", "insee", "carte vitale",
        "green card number", "alien number", "a-number", "visa number", "utr", "rrn", "abha",
    ),
    "phone": (
        "phone", "phone number", "telephone", "tel", "cell", "cell phone", "cellphone", "mobile", "mobile number", "mob",
        "call", "call me", "call me at", "call me on", "text", "text me", "text me at", "ring me on", "reach me at",
        "my number", "number", "landline", "fax", "whatsapp", "home phone", "work phone", "dial", "ring", "contact",
        "phone #", "her number", "his number", "their number", "reach me on", "reach him at", "reach her at", "sms",
        "contact number", "imessage", "facetime", "call him at", "call her at", "handy", "ph", "hotline", "extension",
        "whats app", "signal", "viber", "emergency contact", "call back", "callback", "call us at", "me at", "him at", "her at",
    ),
    "handle": (
        "on signal", "on telegram", "on wechat", "on discord", "on skype", "on line", "on instagram", "on insta", "wechat", "wechat id", "weixin", "weixin id", "telegram", "telegram id", "telegram handle", "discord", "discord id", "discord tag", "skype", "skype id",
        "line id", "kakaotalk", "kakao id", "kakao", "snapchat", "snap", "instagram", "insta", "ig", "tg", "signal username",
        "twitter handle", "twitter", "tiktok", "viber id", "threads", "mastodon", "im id", "qq handle", "my handle",
        "my username on", "matrix id", "matrix", "slack handle", "steam id", "psn", "xbox gamertag", "gamertag", "zalo id",
        "whatsapp id", "messenger", "wx", "snap id", "ins", "battletag", "icq", "kik", "line", "zalo",
    ),
    "qq": ("qq", "qq number", "qq id", "qq no", "oicq", "icq number"),
    "mnemonic": (
        "seed phrase", "recovery phrase", "mnemonic", "mnemonic phrase", "secret recovery phrase", "backup phrase",
        "wallet words", "seed words", "wallet seed", "recovery words", "seed", "12 words", "24 words", "twelve words",
        "wallet phrase", "secret phrase",
    ),
    "wallet": (
        "wallet", "wallet address", "btc", "bitcoin", "eth", "ethereum", "usdt", "solana", "sol address", "monero",
        "trx", "tron", "crypto address", "deposit address", "btc address", "eth address", "ltc", "litecoin", "doge",
        "dogecoin", "xmr", "crypto wallet", "sol", "xrp", "ada", "metamask",
    ),
    "login": ("wifi", "wi-fi", "ssid", "vpn", "router", "server", "admin", "admin panel", "admin page", "dashboard", "account", "user", "username", "ftp", "login", "logins", "credentials", "creds", "log in", "log in as", "sign in", "login is", "cred", "log in with", "login with"),
    "email": ("email", "e-mail", "mail", "email address"),
}  # fmt: skip
"""Kind of value (see `kinds`) -> words that announce it. Lower case; a longer phrase wins over a shorter one in it."""

NOT_A_SECRET: Final = frozenset(
    """a an the and or but so if is are was were be been being has have had do does did not no none nothing never always
    my your his her its our their this that these those it he she they we you i me us them who what when where why how
    to for of on at in from with by as about into over under again back too very more most less least just only also
    already still yet now then soon today tomorrow yesterday here there ok okay yes please thanks sorry
    wrong right correct incorrect invalid valid expired expiring reset changed updated required optional missing needed
    weak strong short long old new good bad safe unsafe secure insecure same different empty blank hidden visible stored
    saved hashed encrypted leaked compromised stolen lost forgotten gone shared known unknown private public secret
    secrets working broken failing failed fine important hard easy simple complex complicated difficult impossible
    must should shall can could may might will would need needs cannot can't won't isn't doesn't don't wasn't
    case-sensitive password passwords passphrase passcode username login email something anything everything someone
    anyone everyone somewhere another other both either neither all any some many few each every first last next
    field reset-link manager policy protected hint generator prompt string input null true false undefined nil
    using used set sent getting given going coming being made written rotated generated managed kept based due called
    supposed between inside outside available unavailable locked disabled enabled active inactive pending ready
    until unless because since after before during while though although via per than like unlike without within
    down up out off away dead slow fast great terrible blocked banned full open closed busy free cheap expensive
    attached below above listed included printed shown displayed written-down sitting taped 1password bitwarden keepass
    lastpass keychain dashlane obvious ugly random unique long-gone""".split()
)
"""Words that follow "password is" in ordinary speech. A plain word that is not here may be the password itself."""

HARMLESS_BEFORE: Final = (
    "order", "orders", "tracking", "invoice", "booking", "reference", "ref", "confirmation", "ticket", "case", "sku", "upc", "ean", "isbn",
    "issn", "model", "part", "serial", "flight", "version", "build", "release", "error", "exit", "status", "zip", "postal",
    "area", "country", "promo", "coupon", "discount", "voucher", "color", "colour", "source", "dress", "bar", "product",
    "item", "timestamp", "epoch", "commit", "sha", "sha1", "sha256", "md5", "checksum", "hash", "uuid", "guid", "page",
    "room", "gate", "seat", "row", "train", "reservation", "package", "shipment", "parcel", "awb", "doi", "pmid",
    "port", "pid", "job", "run", "issue", "pr", "bug", "batch", "lot", "barcode", "unix", "id:", "transaction", "receipt",
    "gift", "referral", "response", "http", "return", "machine", "morse", "qr", "course", "class", "section", "dx", "icd",
    "patent", "docket", "registration", "rma", "po", "purchase", "hs", "swift", "bic", "currency", "language", "bank code",
    "airport", "stock", "ticker", "vin", "imei", "udp", "tcp", "range", "firmware", "kernel", "driver", "chrome", "windows",
    "macos", "ios", "android", "article", "chapter", "student", "employee", "badge", "locale", "unicode", "key code", "keycode", "ascii",
    "population", "budget", "price", "total", "cost", "revenue", "phone model", "trace", "span", "session", "request",
    "object", "customer", "unit", "device", "asset", "meeting", "conference", "webinar",
)  # fmt: skip
"""Words before a number that say it is not a person's: orders, versions, places in code, prices."""

HARMLESS_AFTER: Final = (
    "booking", "order", "tracking", "reference", "ref", "invoice", "ticket", "confirmation", "reservation", "serial",
    "isbn", "part", "model", "timestamp", "sku", "population", "train", "flight", "parcel", "shipment", "case", "version", "release", "update", "build",
)  # fmt: skip
"""Words in "N is my … booking ref" that say the same from behind."""

UNITS: Final = (
    "characters", "character", "chars", "char", "digits", "digit", "letters", "words", "bytes", "bits", "percent", "%", "dollars",
    "dollar", "bucks", "usd", "eur", "euros", "euro", "gbp", "pounds", "yen", "rmb", "yuan", "cents", "people", "users", "items", "lines",
    "times", "tries", "attempts", "days", "day", "hours", "hour", "hrs", "minutes", "minute", "mins", "seconds", "secs", "ms", "weeks",
    "months", "years", "year", "km", "kg", "miles", "meters", "metres", "feet", "am", "pm", "gb", "mb", "kb", "tb",
    "tokens", "points", "steps", "pages", "rows", "copies", "requests", "calories", "watts", "ft", "sqft", "px", "rpm",
    "o'clock", "entries", "errors", "files", "servers", "accounts", "options", "things", "ways", "of them", "or more",
    "k", "m", "grams", "mph", "kmh", "degrees", "x", "followers", "members", "messages", "questions", "votes", "views",
)  # fmt: skip
"""What a counted or measured number is followed by."""

PLACES: Final = frozenset(
    "door gate garage building house office safe lock locker alarm shed lobby gym pool apartment flat elevator basement "
    "cabin storage vault parking keypad entrance barn mailbox bike cottage studio lockbox padlock suitcase luggage "
    "front back room airbnb phone tablet laptop ipad screen".split()
)
"""Things a code opens: "the code to the garage is …" is a door code, not a one-time code."""
