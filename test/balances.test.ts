import { expect, test } from 'vitest';
import { type Body, harness } from './harness.ts';

/** Wherever a balance is shown, `held` and `available` stand beside it: a balance alone does not say what can be spent. */
const h = await harness();
const document: Body = await (await fetch(`${h.kernel.publicUrl()}/openapi.json`)).json();

/** Fields that look like a balance and cannot be spent from here. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'fiatWalletsListTransactions data.transactions.balance_after':
    'what the wallet had then; `held` is what the line itself sets aside',
  'fiatWalletsGetStatement data.opening_balance':
    'what was posted then, as a bank’s statement has it',
  'fiatWalletsGetStatement data.closing_balance': 'the same',
  'fiatWalletsGetStatement data.entries.balance_after': 'the same',
  'bankLinkListAccounts accounts.balances': 'what a bank says of an account with it, in its words',
  'networksGetAddress data.balances': 'what a network says of any address',
  'networksGetAddress data.trust_lines.balance': 'what a network says of any address',
  'conversionsPollBalance data.balance_confirmed': 'how many jobs',
  'purchasesOrder transaction.sufficient_balance': 'yes or no, by what is available',
  'purchasesOrderOnChain transaction.sufficient_balance': 'yes or no, by what is available',
};

/** Names of fields with a balance: `balance`, `point_balance`, `balance_usdc`, `totalBalance`, `balances`. */
const IS_BALANCE = /(^|_)balances?(_|$)|Balance/;
/** What the contract calls the amounts of `balances`. */
const WITHIN = ['amount'];

const deref = (schema: Body): Body =>
  schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : (schema ?? {});

const isSpendable = ({ properties = {} }: Body): boolean =>
  'held' in properties && 'available' in properties;

/** An object of several balances has both in each of its parts. */
function saysAll(given: Body): boolean {
  const schema = deref(given);
  if (isSpendable(schema)) return true;
  const parts = Object.values<Body>(schema.properties ?? {}).filter(
    (part) => deref(part).properties,
  );
  return parts.length > 0 && parts.every(saysAll);
}

/** Places of balances in a schema, and those of them without `held` and `available`. */
function balancesIn(given: Body, place = ''): { place: string; isWhole: boolean }[] {
  const schema = deref(given);
  const { properties = {}, patternProperties = {}, items, additionalProperties } = schema;
  const own = Object.entries<Body>(properties).flatMap(([name, field]) => {
    const at = place === '' ? name : `${place}.${name}`;
    const isObject = deref(field).properties !== undefined;
    const found = IS_BALANCE.test(name) || (WITHIN.includes(name) && /balances\.\w+$/.test(place));
    const isWhole = isObject ? saysAll(field) : isSpendable(schema);
    return [...(found ? [{ place: at, isWhole }] : []), ...balancesIn(field, at)];
  });
  const others = [items, additionalProperties].filter((part) => typeof part === 'object');
  const inner = [...others, ...Object.values<Body>(patternProperties)];
  const { anyOf = [], allOf = [], oneOf = [] } = schema;
  return [
    ...own,
    ...[...inner, ...anyOf, ...allOf, ...oneOf].flatMap((part) => balancesIn(part, place)),
  ];
}

const shown = Object.values<Body>(document.paths).flatMap((methods) =>
  Object.values<Body>(methods).flatMap(({ operationId, responses = {} }) =>
    Object.entries<Body>(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, reply]) => Object.values<Body>(deref(reply).content ?? {}))
      .flatMap(({ schema }) => balancesIn(schema))
      .map(({ place, isWhole }) => ({ name: `${operationId} ${place}`, isWhole })),
  ),
);
const lacking = [...new Set(shown.filter(({ isWhole }) => !isWhole).map(({ name }) => name))];

test('each balance in an answer has `held` and `available` beside it', () => {
  expect(lacking.sort()).toEqual(Object.keys(OTHERWISE).sort());
});

test('the checked balances include all families', () => {
  const whole = shown.filter(({ isWhole }) => isWhole).map(({ name }) => name.split(' ')[0]);
  expect(new Set(whole)).toEqual(
    new Set([
      ...['usersList', 'fiatWalletsOpen', 'fiatWalletsList', 'cryptoWalletsGetBalance'],
      ...['crosschainGetBalance', 'conversionsPollBalance', 'cardanoTreasuryBalance'],
      ...['cardanoAddressBalance', 'purchasesOrder', 'purchasesOrderOnChain'],
      ...['rewardsLogIn', 'rewardsGetProfile'],
    ]),
  );
});

test('balances in events have both, too', () => {
  const found = Object.entries<Body>(document.webhooks ?? {}).flatMap(([type, { post }]) =>
    Object.values<Body>(post.requestBody.content)
      .flatMap(({ schema }) => balancesIn(schema))
      .map(({ place, isWhole }) => ({ type, place, isWhole })),
  );
  expect(found.length).toBeGreaterThan(0);
  const alone = found.filter(({ place, isWhole }) => !isWhole && !place.endsWith('_after'));
  expect(alone).toEqual([]);
});
