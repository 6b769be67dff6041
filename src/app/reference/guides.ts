import { DEMO } from '#src/app/seed.ts';
import { errorCodes, modelContext, WEBHOOKS } from './more-guides.ts';
import { VERSIONS } from './versions-guide.ts';

interface GuideAddresses {
  /** Where the API is reached. */
  readonly api: string;
  /** Where the sandbox is, outside production. */
  readonly sandbox: string | undefined;
}

/** What holds for every endpoint, so that none has to say it, and how to begin. */
export const guidesOf = (addresses: GuideAddresses): string =>
  [
    'Payments over fiat wallets, cards, banks and chains, behind one HTTP API.',
    mainJob(addresses),
    ...(addresses.sandbox === undefined ? [] : [testCards(addresses.sandbox)]),
    CALLERS,
    AMOUNTS,
    ERRORS,
    REPETITIONS,
    DRY_RUNS,
    LISTS,
    LIMITS,
    VERSIONS,
    WEBHOOKS,
    modelContext(addresses.api, addresses.sandbox === undefined ? 'ak_…' : DEMO.apiKey),
    callbacks(addresses),
    errorCodes(),
  ].join('\n\n');

function mainJob({ api, sandbox }: GuideAddresses): string {
  const key = sandbox === undefined ? 'ak_…' : DEMO.apiKey;
  const { email, password } = DEMO.user;
  const login =
    sandbox === undefined
      ? `{"usernameoremail": "…", "password": "…"}`
      : JSON.stringify({ usernameoremail: email, password });
  return `# The main job

Somebody logs in, has a wallet, tops it up from a card and reads the statement.

\`\`\`sh
api=${api}
key=${key}
call() {
  curl -s -H "x-api-key: $key" -H 'content-type: application/json' "$@"
}

# Log in: the token says who calls from here on
token=$(call $api/auth/login \\
  -d '${login}' \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
me="authorization: Bearer $token"

# A wallet in dollars, or the one there is
wallet=$(call $api/wallets/fiat -H "$me" \\
  -d '{"currency": "USD"}' \\
  | sed 's/.*"wallet_id":\\([0-9]*\\).*/\\1/')

# 100 dollars from a card, once
call $api/card-checkout/card -H "$me" \\
  -H 'idempotency-key: first-top-up' -d '{
    "card_number": "4111111111111111", "expiry_date": "1232",
    "amount": "100.00", "currency_code": "USD"}'

# The statement
call $api/wallets/fiat/$wallet/transactions -H "$me"
\`\`\`

A client of your own: \`POST /keys/generate-sdk-key\` makes a key, \`POST /clients/create_with_admin\` a client
with an admin, who gets a password by mail and lets people in with \`POST /admins/users\`.

For Postman, Bruno and the like import [the same as a collection](/postman.json): its log-in keeps the token for all others.`;
}

const testCards = (sandbox: string): string => `# Test cards

No money is real here: cards, banks, chains and mail are simulated, and the
[sandbox](${sandbox}) shows what was sent and moves the clock. Any expiry date to come and any CVV will do.

| card | what happens |
|---|---|
| \`4111111111111111\`, \`5555555555554444\` | it is paid |
| \`4000000000000002\` | \`CARD_DECLINED\`: its bank says no |
| \`4000000000009995\` | \`CARD_DECLINED\`: not enough money |
| \`4000000000000119\` | the network answers too late, and has taken the money; the service finds out |
| \`4000000000000127\` | the issuer answers later than the network waits; the answer is fetched |

The key \`${DEMO.apiKey}\` is that of the demo client; its user is \`${DEMO.user.email}\` /
\`${DEMO.user.password}\`, its admin \`${DEMO.admin.email}\` / \`${DEMO.admin.password}\`, and the platform’s
operator \`${DEMO.operator.email}\` / \`${DEMO.operator.password}\`.`;

const CALLERS = `# Who calls

The application by its key in \`x-api-key\`, a person by the token of their log-in in
\`Authorization: Bearer\`, beside the key. The rewards app's log-in (\`/xusers/login\`) has tokens of its own.
Bodies are JSON of up to 64 KiB, or more where it is said. Fields that are not named here are ignored, query
parameters that are not are refused.`;

const AMOUNTS = `# Amounts

An amount is in units of its currency, never in cents: \`"100.00"\` and \`"currency": "USD"\` are a hundred dollars.

- **Sent**, it is decimal text, or a number where that holds it exactly. More decimals than the currency has
  are refused, never rounded: IDR, USD, SGD, AUD and INR have 2, VND none, USDC and ADA 6, ETH and POL 18.
- **Answered**, it is decimal text with all decimals of its currency: \`"97.00"\`. A sign is only in statements:
  what left a wallet is negative. Card transactions, exchange conversions, orders of the marketplace and some answers of the contract have
  numbers instead; where it is so, the field's type says it.
- **Fees** are in the currency of the amount. A top-up of 100 with a \`platform_fee\` of 3 has a \`net_amount\` of 97,
  which is what the wallet gets.
- **Ids** may be sent as numbers or as the same in text; they are answered as numbers.`;

const ERRORS = `# Errors

Every failure carries a stable \`code\`, a \`hint\` what to do, a \`doc_url\` that explains the code, and the
\`request_id\`; \`details\` says field by field what is wrong with a request. Texts may change, codes do not.
Each endpoint below lists its statuses with their codes, [the error pages](/docs/errors) have them all. The header
\`x-should-retry\` says whether the same request, under the same key, may be answered otherwise later.

The answer's shape is one of five, the same for all endpoints of an area:

| shape | where the code is |
|---|---|
| \`{success: false, error, code, …}\` | \`code\` |
| \`{error, code, …}\` | \`code\` |
| \`{success: false, error: {code, message, …}, timestamp}\` | \`error.code\` |
| \`{status: "FAILED", message, code, …}\` | \`code\` |
| \`{success: false, error_code, message, …}\` | \`error_code\` |

The header \`x-should-retry\` says whether the same request may succeed later, \`retry-after-ms\` how long to wait. Of a
changing request \`x-archipay-outcome\` says what is known: \`decided\`, the operation has ended with this answer;
\`not-begun\`, this request has begun nothing; \`unknown\`, it may have done its work. A request that has got no answer may
have done its work, too: repeat it under the same \`Idempotency-Key\`.`;

const DRY_RUNS = `# Dry runs

Every operation that moves money takes \`?dry_run=true\`. Nothing is done then: the answer is 200, and its
\`data.would\` has the status and body that would be answered, the postings with the fees among them, limits, types of events,
calls and messages. It ends before the first call to a provider or chain: \`status\` is null there. No
\`Idempotency-Key\` is needed or used up.`;

const REPETITIONS = `# Repetitions

With an \`Idempotency-Key\` the same request answers the same again for 24 hours
(\`idempotent-replayed: true\`), and does nothing twice. The order of fields, blanks and how an amount is written change
nothing. Another body under that key is 422
\`IDEMPOTENCY_KEY_REUSED\`, a first one still under way 409 \`IDEMPOTENCY_IN_PROGRESS\`. Failures of ours and 429
are not kept: the key may be used again at once. Answers that hold a secret are repeated only to the credentials that
the request came with, and without a log-in only under a random key, such as a UUID; any other repetition of them
is 409 \`IDEMPOTENCY_ANSWER_NOT_KEPT\`, and does nothing.`;

const LISTS = `# Lists

Lists are newest first and cut: where rows are left out the header \`Link: <…>; rel="next"\` is the address of
the next page. \`limit\` says how many, \`before\` is the id of the last one seen; what is added meanwhile moves
nothing. A few lists of the contract count pages or offsets instead. For programs \`x-archipay-page\` of an operation
names the parameter of the next page, and where the rows and its value are in the answer.`;

const LIMITS = `# Limits

1000 requests a minute for a key, 100 for an address where no key is asked for. Every answer has
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (epoch seconds). 429 and some 503
say in \`Retry-After\` how many seconds to wait. The header \`x-request-id\` is on every answer; one that is
sent is kept.`;

/** For operators: who calls us, where, and why they are believed. */
const callbacks = ({ api }: GuideAddresses): string => `# Call-backs of providers

Providers report the outcome of a payment or a verification by calling the service. The operator gives them
these addresses; applications never call them, and hear of the same by webhooks.

| provider | calls | is believed |
|---|---|---|
| identity verification | \`${api}/ekyc/idv/webhook\` | by an HMAC of the bytes with \`IDENTITY_WEBHOOK_SECRET\` |
| card network | \`${api}/card-checkout/card/callback\` | in mock mode; else the status is asked for |
| rupiah gateway, payments | \`${api}/idrtoken/callback/payment\` | by its own token; else it is asked |
| rupiah gateway, transfers | \`${api}/idrtoken/callback/transfer\` | the same |
| cards of ours, decisions | \`${api}/cards/processor/authorizations\` | Basic credentials, and an HMAC of the bytes where one is set up |
| cards of ours, events | \`${api}/cards/processor/events\` | the same |
| bank link, transfers | \`${api}/banklink/webhook\` | by the provider’s signature, a JWT over the bytes |
| gateway, invoices | \`${api}/payment-gateway/callback\` | by the gateway’s token in \`x-callback-token\` |
| partner, customers | \`${api}/pspb/webhook\` | by the partner’s RSA signature over the bytes |
| Telegram, updates of the bot | \`${api}/socialbot/telegram/webhook\` | by the secret token \`TELEGRAM_WEBHOOK_SECRET\` in a header |
| WhatsApp, people and messages | \`${api}/socialbot/whatsapp/webhook\` | by an HMAC of the bytes with \`WHATSAPP_APP_SECRET\` |
| Twilio, SMS | \`${api}/sms/webhook\`, named by each message | by an HMAC of address and fields with \`SMS_TOKEN\` |
| WhatsApp, messages | \`${api}/whatsapp/webhook\` | by an HMAC of the bytes with \`WHATSAPP_APP_SECRET\` |

A call that concerns something of ours is stored before it is answered, and handled once, however often it comes. Those
that are signed are answered 401 \`INVALID_SIGNATURE\` where the signature is not right. What is answered 5xx should be
sent again.`;
