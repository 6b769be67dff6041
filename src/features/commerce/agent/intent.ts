import { type Static, Type } from 'typebox';
import { CHAIN_KEYS, CHAINS, sendableAssets } from '#chains/evm/port.ts';
import { Nullable, oneOfWords, text } from '#kernel/http/declare/schema.ts';

/** What a user may want of their wallets. */
export const INTENTS = [
  'create_wallet',
  'add_address',
  'balance',
  'history',
  'import_token',
  'send',
  'crosschain_transfer',
  'help',
  'cancel',
  'unknown',
] as const;
export type AgentIntent = (typeof INTENTS)[number];

export const LANGUAGES = ['en', 'id'] as const;
export type Language = (typeof LANGUAGES)[number];

const ADDRESS_MAX = 100;
const maybe = <T extends Parameters<typeof Nullable>[0]>(schema: T) =>
  Type.Optional(Nullable(schema));
const Amount = Type.String({ pattern: '^\\d{1,30}(\\.\\d{1,18})?$' });

/** Parameters of an intent. Each is a proposal, whether a model or a caller makes it. */
const parameters = () => ({
  wallet_name: maybe(text(100)),
  chain_id: maybe(oneOfWords(CHAIN_KEYS)),
  from_chain: maybe(oneOfWords(CHAIN_KEYS)),
  to_chain: maybe(oneOfWords(CHAIN_KEYS)),
  amount: maybe(Amount),
  token_symbol: maybe(oneOfWords(sendableAssets())),
  to_address: maybe(text(ADDRESS_MAX)),
  recipient_address: maybe(text(ADDRESS_MAX)),
  token_address: maybe(text(ADDRESS_MAX)),
});
export const PARAMETERS = Object.keys(parameters()) as readonly Parameter[];
export type Parameter = keyof ReturnType<typeof parameters>;
export type Given = { readonly [P in Parameter]?: string };

/** The chains are known only once the process has read its database. */
export const proposalSchema = () =>
  Type.Object({ intent: oneOfWords(INTENTS), language: oneOfWords(LANGUAGES), ...parameters() });
export type AgentProposal = Static<ReturnType<typeof proposalSchema>>;

/** The parameters alone, as callers may hand them over. */
export const parametersSchema = () => Type.Object(parameters());

/** Without those that are null. */
export function given(proposal: Readonly<Record<string, unknown>>): Given {
  const entries = PARAMETERS.flatMap((name) => {
    const value = proposal[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The model's instructions, in our words alone: they contain no text of others. */
export function instructions(
  open: { readonly intent: AgentIntent; readonly asked?: Parameter | undefined } | undefined,
): string {
  const chains = CHAIN_KEYS.map(
    (key) => `${key} (${CHAINS[key].name}, coin ${CHAINS[key].native})`,
  );
  return [
    'You read what a user of a wallet app writes, in English or Indonesian, and say what they want.',
    'Intents: create_wallet, add_address (an address on a chain for a wallet), balance, history,',
    'import_token, send (coins or USDC on one chain), crosschain_transfer (USDC from one chain to',
    'another), help, cancel, and unknown where it is none of these or only the answer to a question.',
    'Parameters are what the user wrote, and nothing else: never make one up, never complete one, leave',
    'out what was not said. An amount is a plain decimal number with a dot.',
    `Chains: ${chains.join(', ')}.`,
    ...(open?.asked ? [`Open question: ${open.asked} of ${open.intent}`] : []),
    ...(open && !open.asked ? [`The user may be changing: ${open.intent}`] : []),
  ].join('\n');
}
