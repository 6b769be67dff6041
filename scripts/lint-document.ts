import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRules from '@stoplight/spectral-rulesets';
import { productDocument } from './product-document.ts';

/**
 * Lints the OpenAPI document of the product, as it is published, without a database: it is generated from the
 * declarations alone. By Redocly's recommended rules and Spectral's `spectral:oas`; fails on any warning of either.
 */

/**
 * Addresses that could be read as another one with a parameter in it: `/users/update_profile/{user_id}`
 * beside `/users/{user_id}/pending-changes`. Fixed words win, and the parameter in the other is a number or an id with a
 * prefix.
 */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  '/users/{user_id}/pending-changes',
  '/users/confirm/{token}',
  '/users/{user_id}/tos-acceptance-link',
  '/users/{user_id}/accept-tos',
  '/clients/clients/{instance_id}',
  '/wallets/{wallet_id}/balance',
  '/wallets/fiat/transfers/{transfer_id}',
  '/wallets/fiat/{wallet_id}/holds',
  '/wallets/fiat/holds/{hold_id}',
  '/wallets/fiat/requests/{request_id}',
  '/wallets/fiat/{wallet_id}/monitors',
  '/cards/transactions/{transaction_id}',
  '/cards/decisions/{decision_id}',
  '/policies/backtests/{backtest_id}',
  '/policies/{policy_id}/publish',
  '/policies/{policy_id}/retire',
  '/policies/{policy_id}/metadata',
  '/cards/disputes/{dispute_id}',
]);

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    'operation-tag-defined': 'error',
    'info-contact': 'error',
    'component-name-unique': 'error',
  },
});
const source = JSON.stringify(productDocument());
const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
/** The linter does not follow pointers of extensions. */
const isPointedTo = (pointer: string): boolean => source.includes(`{"$ref":"${pointer}"}`);
const unused = 'no-unused-components';
const problems = found.map(({ ruleId, severity, message, location: [place] }) => {
  const pointer = (place?.pointer ?? '').replaceAll('~1', '/');
  return {
    pointer,
    isKnown: ruleId === 'no-ambiguous-paths',
    text: `${severity} ${ruleId}: ${message}`,
  };
});
const excused = new Set(
  problems.filter(({ isKnown }) => isKnown).map(({ pointer }) => pointer.replace('#/paths/', '')),
);
const wrong = [
  ...problems
    .filter(({ pointer, text }) => !text.includes(unused) || !isPointedTo(pointer))
    .filter(({ pointer, isKnown }) => !isKnown || !AMBIGUOUS.has(pointer.replace('#/paths/', '')))
    .map(({ pointer, text }) => `${pointer}\n    ${text}`),
  ...[...AMBIGUOUS].filter((path) => !excused.has(path)).map((path) => `${path} is not ambiguous`),
];

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [spectralRules.oas as object as RulesetDefinition] });
const noted = await spectral.run(JSON.parse(source));
wrong.push(...noted.map(({ code, path, message }) => `${path.join('/')}\n    ${code}: ${message}`));

for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
