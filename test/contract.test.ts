import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Auth, Route } from '#kernel/http/declare/route.ts';
import { harness } from '#test/harness.ts';

/** What we offer beyond the contract, by the reason it is there. */
const ADDITIONS: readonly RegExp[] = [
  // Addresses that the contract leaves open and the decisions name.
  /^POST \/password\/(reset|forgotten)$/,
  /^POST \/ekyc\/idv\/webhook$/,
  /^POST \/banklink\/webhook$/,
  /^(GET|POST) \/wallets\/fiat(\/|$)/,
  /^DELETE \/wallets\/fiat\/\{wallet_id\}\/monitors\//,
  // The contract's table of states has it beside PATCH.
  /^POST \/crosschain\/confirm$/,
  // An address that the contract calls optional.
  /^GET \/cardano\/balance$/,
  // Rupiah without a purchase are owed to their payer, and people settle them.
  /^GET \/idrtoken\/payments$/,
  /^POST \/idrtoken\/payments\/\{payment_id\}\/(assign|refund|mark-refunded)$/,
  // A wallet of one's own is proven by a signature.
  /^(GET|POST|DELETE) \/wallet-proofs(\/|$)/,
  // A log-in gives a fresh proof of its person.
  /^POST \/sessions\/prove$/,
  // Sums of payments by day.
  /^GET \/payment-figures$/,
  // The log-in of the operator's console.
  /^(GET|POST|DELETE) \/console\//,
  // The people of a client, in roles.
  /^(GET|POST|PATCH|DELETE) \/team(\/|$)/,
  // The work of the operator's people on call.
  /^(GET|POST) \/desk\//,
  // The state of a bank top-up, and payments that a card network has taken back twice.
  /^GET \/banklink\/topup\/\{transaction_id\}\/status$/,
  /^POST \/card-checkout\/(returned-twice\/write-off|reversals\/decide)$/,
  // The operator corrects the ledger, by two people.
  /^GET \/adjustments(\/\{adjustment_id\})?$/,
  /^POST \/adjustments(\/\{adjustment_id\}\/(approve|reject|withdraw))?$/,
  // Suspending and reinstating.
  /^POST \/(clients\/\{client_id\}|admins\/users\/\{user_id\})\/(stop|let-in)$/,
  // An order is paid from one's own wallet or by a page; people settle the debts to shops and payers.
  /^(GET|POST) \/marketplace\/orders\/\{order_id\}\/pay$/,
  /^POST \/marketplace\/orders\/\{order_id\}\/fulfilment$/,
  /^GET \/marketplace\/payments$/,
  /^POST \/marketplace\/payments\/\{payment_id\}\/(refund|assign|mark-refunded|write-off)$/,
  // The price of a conversion, before anything is moved.
  /^GET \/fx\/(quote|rates)$/,
  // One call over chains, and the operator's stop of a route.
  /^(GET|POST|PATCH) \/bridge\//,
  // Programs that people let in by OAuth.
  /^POST \/oauth\/(register|authorize|token|revoke)$/,
  /^(GET|DELETE) \/oauth\/grants(\/|$)/,
  // Prices that hold for a time, and are used once.
  /^PUT \/fx\/(limits|spreads)$/,
  /^(GET|POST) \/fx\/(conversions|currencies|positions|quote-keys|quotes|spreads)(\/|$)/,
  /^POST \/idrtoken\/callback\/(payment|transfer)$/,
  // Keys with rotation, sessions and audits, which users of such a platform expect.
  /^POST \/keys\/sdk-key\/\{api_key\}\/rotate$/,
  /^(GET|DELETE) \/sessions(\/|$)/,
  /^GET \/2fa\/audit$/,
  /^GET \/admins\/audit$/,
  /^GET \/ekyc\/history\/\{user_id\}$/,
  // The button of the page behind a confirmation link, and a new link.
  /^POST \/users\/(confirm|resend-confirmation)$/,
  // A change for a user waits for that user's consent, and the operator helps users who lost access.
  /^POST \/users\/confirm-change$/,
  /^GET \/users\/\{user_id\}\/pending-changes$/,
  /^DELETE \/users\/\{user_id\}\/pending-changes\/\{change_id\}$/,
  /^POST \/admins\/users\/\{user_id\}\/(remove-second-factor|move-address)$/,
  // Providers report what became of a message or a customer, and a person completes the checks by links.
  /^(GET|POST) \/whatsapp\/webhook$/,
  /^POST \/sms\/webhook$/,
  /^POST \/pspb\/webhook$/,
  /^GET \/pspb\/links$/,
  // Payments of all rails in one list, and how long they take.
  /^(GET|PATCH) \/payments(\/|$)/,
  /^GET \/status\/rails$/,
  // A developer sees what the service answered.
  /^GET \/request-logs(\/|$)/,
  // Files that are sent and made.
  /^(GET|POST) \/files$/,
  /^(GET|DELETE) \/files\/\{id\}(\/content)?$/,
  // From where a key may be used, and how often.
  /^PATCH \/keys\/sdk-key\/\{api_key\}$/,
  /^(GET|POST|PATCH|DELETE) \/policies(\/|$)/,
  /^(GET|POST) \/approvals(\/|$)/,
  /^POST \/step-up$/,
  /^(GET|PUT) \/fees$/,
  // Many payments at once out of a wallet.
  /^(GET|POST|PUT|PATCH) \/batches(\/|$)/,
  // Money out of wallets is below /wallets/fiat; whom users pay.
  // Cards on wallets.
  /^(GET|POST|PUT|DELETE|PATCH) \/cards(\/|$)/,
  // Whom users pay.
  /^(GET|POST|PATCH|DELETE) \/recipients(\/|$)/,
  // Money that merchants ask for.
  /^(GET|POST|PATCH) \/payment-gateway\/(invoices|payments|unmatched|methods|callback|claim)(\/|$)/,
  /^(GET|PUT|POST|PATCH) \/payment-gateway\/(settings|checkout|links|pay)(\/|$)/,
  // The Model Context Protocol: a model's tools, under the caller's own key and token.
  /^POST \/mcp-server$/,
  // Receivers of events.
  /^(GET|POST) \/webhook-endpoints$/,
  /^(GET|PATCH|DELETE|POST) \/webhook-endpoints\/\{endpoint_id\}(\/|$)/,
  /^POST \/events\/\{event_id\}\/resend$/,
  // Events, for callers who read them.
  /^GET \/events(\/(\{event_id\}|stream))?$/,
  /^GET \/event-types$/,
  // People see and explain differences between our books and a provider's.
  /^GET \/reconciliation\/breaks$/,
  /^POST \/reconciliation\/breaks\/\{break_id\}\/explain$/,
  // What people say of themselves, and how they change it.
  /^(GET|POST|PATCH) \/profile(\/|$)/,
  // Log-ins of apps, kept by the key of a device.
  /^(GET|POST|PATCH|DELETE) \/mobile\//,
  // What callers keep beside the things that they have made.
  /^PATCH \/.+\/metadata$/,
  // Accounts at messengers that members link.
  /^(GET|POST|DELETE) \/socialbot\//,
  // The networks and their faucet.
  /^GET \/networks(\/|$)/,
  /^(GET|POST) \/testnet\/faucet$/,
];

/** Endpoints that the contract's text opens further than its letter. */
const WIDER: Readonly<Record<string, string>> = {
  // "FORBIDDEN for non-admin reading another user": one's own is no other's.
  'GET /extauth/auth/profile/{user_id}': 'J',
};

interface Row {
  readonly id: string;
  readonly area: string;
  readonly auth: string;
  readonly family: string;
}

const [, ...lines] = readFileSync('docs/contract/endpoints.tsv', 'utf8').trim().split('\n');
const rows: Row[] = lines.map((line) => {
  const [, area = '', method = '', path = '', auth = '', family = ''] = line.split('\t');
  return { id: `${method} ${path}`, area, auth, family };
});

const LETTERS: Record<Auth, string> = {
  public: 'P',
  key: 'K',
  user: 'J',
  rewards: 'J',
  either: 'J',
  admin: 'A',
};
const h = await harness();
const mounted = new Map(h.app.features.routes.map((route): [string, Route] => [route.id, route]));

test('each of the 165 endpoints of the contract is mounted with its auth and envelope', () => {
  expect(rows).toHaveLength(165);
  const mountedRows = rows.map(({ id }) => {
    const route = mounted.get(id);
    return route
      ? { id, auth: LETTERS[route.endpoint.auth], family: route.envelope.name }
      : { id, auth: 'not mounted', family: '' };
  });
  expect(mountedRows).toEqual(
    rows.map(({ id, auth, family }) => ({ id, auth: WIDER[id] ?? auth, family })),
  );
});

test('every endpoint beyond the contract is listed here', () => {
  const known = new Set(rows.map(({ id }) => id));
  const extra = [...mounted.keys()].filter((id) => !known.has(id));
  expect(extra.filter((id) => !ADDITIONS.some((addition) => addition.test(id)))).toEqual([]);
});

test('every endpoint has a summary, and schemas of path parameters and body', () => {
  for (const { id, endpoint } of mounted.values()) {
    expect(endpoint.summary.length, id).toBeGreaterThan(5);
    const names = [...id.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = Object.keys((endpoint.params as { properties?: object })?.properties ?? {});
    expect(declared.sort(), id).toEqual(names.sort());
  }
});
