import { expect, test } from 'vitest';
import type { Creates } from '#kernel/http/declare/caller-names.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { harness } from './harness.ts';

/** Every POST either says what it makes, and takes the caller's `reference` and `metadata`, or is here with its reason. */
const h = await harness();

const MAKES_NOTHING: Readonly<Record<string, readonly RegExp[]>> = {
  'an act on the thing that its address names': [/^POST \/.*\{\w+\}/],
  'an act on a thing that its body names': [
    /^POST \/crosschain\/(confirm|mint|burn|burn-frontend)$/,
    /^POST \/card-checkout\/(returned-twice|reversals)\//,
    /^POST \/banklink\/(remove-item|transfer|payment)$/,
    /^POST \/exchange\/crypto-wallet\/delete$/,
    /^POST \/mcp\/(v2\/)?execute-order$/,
    /^POST \/desk\/work\/try-again$/,
    /^POST \/users\/(confirm|confirm-change|psp_update)$/,
  ],
  'many things at once, of several people': [
    /^POST \/exchange\/conversion\/(run-daily|poll-balance|run-trades)$/,
  ],
  'a log-in, a code or a proof of a person': [
    /^POST \/(auth|password|2fa|sessions|console|xusers|xotp|xmail)\//,
    /^POST \/console\/session$/,
    /^POST \/extauth\/auth\/(login|link|link-wallet)$/,
    /^POST \/users\/(logout|request-otp|resend-confirmation)$/,
    /^POST \/wallet-proofs\/challenges$/,
    /^POST \/step-up$/,
    /^POST \/profile\/(password|phone|email|exports|close)(\/|$)/,
    /^POST \/mobile\/(login|login\/request|login\/complete|refresh|logout)$/,
    /^POST \/mobile\/passkeys(\/.+)?$/,
    /^POST \/ekyc\/idv\//,
  ],
  'of a member of the rewards app, which belongs to no client': [
    /^POST \/(xprofiles|xcontacts|xsocial|xreff)\//,
    /^POST \/socialbot\/start$/,
  ],
  'a question that stores nothing': [
    /^POST \/card-checkout\/card\/(validate|validatecc)$/,
    /^POST \/banklink\/link-token\/create$/,
    /^POST \/mcp\/(step1|step2|step3a|chain-selector)$/,
    /^POST \/\w+\/(chat|search)$/,
    /^POST \/crosschain\/test-mint$/,
    /^POST \/policies\/simulate$/,
  ],
  'a link to an address, which makes nothing before somebody opens it, and who joins by it': [
    /^POST \/team\/invitations(\/accept)?$/,
  ],
  'a secret of the client, which has no names': [
    /^POST \/payment-gateway\/settings\/return-secret$/,
  ],
  'test coins, which are worth nothing': [/^POST \/testnet\/faucet$/],
  'a price that is used once, and that has no events': [/^POST \/(fx|bridge)\/quotes$/],
  'a body that is the bytes of a file, by which a repetition is known': [/^POST \/files$/],
  'a body with a metadata of its own': [
    /^POST \/banklink\/(link-token|item\/public-token)\/exchange$/,
  ],
  'one for a person, made or answered by another system': [/^POST \/pspb\/customers$/],
  'belongs to no client': [/^POST \/(keys\/generate-sdk-key|tokens\/import)$/],
  'a conversation, whose tools take both': [/^POST \/(agent\/wallets\/process|mcp-server)$/],
  'OAuth has fields of its own, and programs belong to no client': [/^POST \/oauth\//],
  'another system reports': [
    /^POST \/(pspb|sms|whatsapp|banklink)\/webhook$/,
    /^POST \/socialbot\/(telegram|whatsapp)\/webhook$/,
    /^POST \/.*\/callback(\/|$)/,
    /^POST \/cards\/processor\/(authorizations|events)$/,
  ],
};

const posts = h.app.features.routes.filter(({ id }) => id.startsWith('POST '));

test('every POST says what it makes, or has a reason to make nothing with names', () => {
  const reasons = Object.values(MAKES_NOTHING).flat();
  const silent = posts.filter(({ endpoint }) => endpoint.creates === undefined);
  const without = silent.filter(({ id }) => !reasons.some((reason) => reason.test(id)));
  expect(without.map(({ id }) => id)).toEqual([]);
  const idle = reasons.filter((reason) => !silent.some(({ id }) => reason.test(id)));
  expect(idle.map(String)).toEqual([]);
  const both = posts.filter(({ endpoint }) => endpoint.creates !== undefined);
  expect(both.length).toBeGreaterThan(30);
});

const objectOf = (creates: Creates) =>
  typeof creates === 'string' ? { kind: creates, object: creates } : creates;

test('a kind belongs to one type of event, which exists, and to one endpoint and its versions', () => {
  const types = new Set(h.app.features.events.map(({ object }) => object));
  const names = new Set(h.app.features.events.map(({ name }) => name));
  const made = posts.flatMap(({ id, endpoint: { creates } }) =>
    creates === undefined ? [] : [{ id, on: undefined, ...objectOf(creates) }],
  );
  for (const { id, object, on } of made) {
    expect(types.has(object), id).toBe(true);
    if (on !== undefined) expect(names.has(`${object}.${on}`), id).toBe(true);
  }
  const kinds = Map.groupBy(made, ({ kind }) => kind);
  const shared = [...kinds].filter(([, all]) => all.length > 1);
  expect(shared.map(([kind, all]) => [kind, ...all.map(({ id }) => id)])).toEqual([
    ['card_top_up', 'POST /card-checkout/card', 'POST /card-checkout/cardcc'],
    ['purchase', 'POST /mcp/create-order', 'POST /mcp/v2/create-order'],
  ]);
});

test('a thing takes names by a body that has them, and by nothing else', () => {
  for (const { id, endpoint } of h.app.features.routes) {
    const { body, creates, name } = endpoint;
    const { properties = {} } = (body ?? {}) as { properties?: object };
    if (name.startsWith('bankLink.')) continue;
    expect('reference' in properties && 'metadata' in properties, id).toBe(creates !== undefined);
  }
});

/** Things that were there before metadata could be changed, and those whose address is another one. */
const OTHERWISE: readonly RegExp[] = [
  /^\/(manual\/wallets\/crypto|onchain|wallet-proofs|webhook-endpoints|adjustments)(\/|$)/,
  /^\/wallets\/fiat$/,
  // PATCH /cards/{card_id}/metadata and /wallets/fiat/holds/{hold_id}/metadata.
  /^\/cards\/(\{card_id\}\/replace|transactions\/\{transaction_id\}\/disputes)$/,
  /^\/wallets\/fiat\/\{wallet_id\}\/holds$/,
];

test('metadata of everything that the families beyond the contract make can be changed later', () => {
  const patches = h.app.features.routes.map(({ id }) => id.replace(/\{\w+\}/g, '{}'));
  // What moves money is a payment, whose address takes it.
  const isPayment = ({ object }: { object: string }) =>
    ['payment', 'refund', 'payout'].includes(object);
  const without = posts
    .filter(({ envelope }) => envelope === codedEnvelope)
    .filter(({ endpoint: { creates } }) => creates !== undefined && !isPayment(objectOf(creates)))
    .map(({ id }) => id.slice('POST '.length))
    .filter((path) => !OTHERWISE.some((one) => one.test(path)))
    .filter((path) => !patches.includes(`PATCH ${path.replace(/\{\w+\}/g, '{}')}/{}/metadata`));
  expect(without).toEqual([]);
});
