import { plainDecimal } from '#kernel/money/amount-text.ts';
import type { AgentIntent, Given, Parameter } from './intent.ts';
import { type Mention, type Mentions, mentionsIn } from './mentions.ts';

export interface Grounded {
  /** Parameters that the user has really written, in plain form. */
  readonly parameters: Given;
  /** Parameters that the newest message mentions with several readings: the agent has to ask for them. */
  readonly doubts: readonly Parameter[];
  /** The readings of a doubtful amount. */
  readonly amounts: readonly string[];
}

export interface UserWords {
  /** The user's own messages, the newest last. */
  readonly said: readonly string[];
  /** The proposal's intent; the open conversation's, where the proposal's is unknown. */
  readonly intent: AgentIntent;
  /** The parameter of the agent's last question. */
  readonly asked?: Parameter | undefined;
  /** Names of the user's own wallets: numbers in a quoted name are no amounts. */
  readonly names?: readonly string[];
}

const ADDRESS_OF: Readonly<Partial<Record<AgentIntent, Parameter>>> = {
  send: 'to_address',
  crosschain_transfer: 'recipient_address',
  import_token: 'token_address',
};
const ADDRESSES: readonly Parameter[] = ['to_address', 'recipient_address', 'token_address'];

/** The parameters of an intent that a message can be unclear about. */
const CHECKED: Readonly<Partial<Record<AgentIntent, readonly Parameter[]>>> = {
  send: ['amount', 'token_symbol', 'chain_id', 'to_address'],
  crosschain_transfer: ['amount', 'token_symbol', 'from_chain', 'to_chain', 'recipient_address'],
  import_token: ['token_address', 'chain_id'],
  create_wallet: ['chain_id'],
  add_address: ['chain_id'],
};

/**
 * A model that is wrong, or serves an attacker, can name any amount, coin, chain and address. Each is kept only where
 * the newest message that mentions it says exactly that and nothing else; a mention in the newest message with several
 * readings is a doubt, whatever the model proposes.
 */
export function grounded(proposed: Given, words: UserWords): Grounded {
  const { said, intent, asked, names = [] } = words;
  const messages = said.map((message, i) =>
    mentionsIn(withoutNames(message, names), i === said.length - 1 ? asked : undefined),
  );
  const wanted = normalised(proposed, intent);
  // Any text is a name for a new wallet.
  const isName = asked === 'wallet_name' && intent === 'create_wallet';
  const checked = isName ? [] : (CHECKED[intent] ?? []);
  const read = checked.map((name) => ({
    name,
    mentions: messages.map((mentions) => mentionOf(mentions, name)),
  }));
  const kept = read.flatMap(({ name, mentions }) => {
    const value = agreedText(name, wanted[name], mentions);
    return value === undefined ? [] : [[name, value] as const];
  });
  const known = new Map(kept);
  const doubts = read.flatMap(({ name, mentions }) => {
    const isMentioned = (mentions.at(-1)?.kind ?? 'none') !== 'none';
    return isMentioned && !known.has(name) ? [name] : [];
  });
  const amount = messages.at(-1)?.amount;
  return {
    parameters: { ...Object.fromEntries(kept), ...namedIn(said, wanted.wallet_name) },
    doubts,
    amounts: amount?.kind === 'unclear' ? amount.options : [],
  };
}

/** Under the intent's own names: one address is one parameter, and only USDC moves between chains. */
function normalised(proposed: Given, intent: AgentIntent): Given {
  const address = ADDRESS_OF[intent];
  const named = ADDRESSES.map((name) => proposed[name]).find((value) => value !== undefined);
  return {
    ...proposed,
    ...(address && named !== undefined && { [address]: proposed[address] ?? named }),
    ...(intent === 'crosschain_transfer' && { token_symbol: proposed.token_symbol ?? 'USDC' }),
  };
}

const mentionOf = (mentions: Mentions, name: Parameter): Mention =>
  mentions[ADDRESSES.includes(name) ? 'address' : (name as keyof Mentions)];

/** The user's own text for a parameter, where the newest message that mentions it agrees with the proposal. */
function agreedText(
  name: Parameter,
  proposed: string | undefined,
  mentions: readonly Mention[],
): string | undefined {
  const latest = mentions.findLast(({ kind }) => kind !== 'none');
  if (proposed === undefined || latest?.kind !== 'one') return undefined;
  const same = (text: string) => (name === 'amount' ? plainDecimal(text) : text.toLowerCase());
  return same(latest.value) === same(proposed) ? latest.value : undefined;
}

/** A wallet's name is kept where the user wrote it. */
function namedIn(said: readonly string[], name: string | undefined): Given {
  const plain = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ');
  const isWritten = name !== undefined && said.some((text) => plain(text).includes(plain(name)));
  return isWritten ? { wallet_name: name } : {};
}

function withoutNames(message: string, names: readonly string[]): string {
  return names.reduce(
    (text, name) => text.replaceAll(`"${name}"`, ' ').replaceAll(`“${name}”`, ' '),
    message,
  );
}
