import { plainDecimal } from '#kernel/money/amount-text.ts';
import type { AgentIntent, Given, Parameter } from './intent.ts';
import { type Mention, type Mentions, mentionsIn } from './mentions.ts';

export interface Grounded {
  /** What the user has really written, as plain as it can be. */
  readonly parameters: Given;
  /** What the newest message says and cannot be read in exactly one way: it has to be asked for. */
  readonly doubts: readonly Parameter[];
  /** What the doubtful amount may be. */
  readonly amounts: readonly string[];
}

export interface Spoken {
  /** The user's own messages, the newest last. */
  readonly said: readonly string[];
  /** What the proposal is about, with the open wish in place of an unknown one. */
  readonly intent: AgentIntent;
  /** The parameter that the user was asked for last. */
  readonly asked?: Parameter | undefined;
  /** Names of the user's own wallets: quoted, they say nothing of amounts. */
  readonly names?: readonly string[];
}

const ADDRESS_OF: Readonly<Partial<Record<AgentIntent, Parameter>>> = {
  send: 'to_address',
  crosschain_transfer: 'recipient_address',
  import_token: 'token_address',
};
const ADDRESSES: readonly Parameter[] = ['to_address', 'recipient_address', 'token_address'];

/** What a wish is about that a message can be unclear about. */
const ABOUT: Readonly<Partial<Record<AgentIntent, readonly Parameter[]>>> = {
  send: ['amount', 'token_symbol', 'chain_id', 'to_address'],
  crosschain_transfer: ['amount', 'token_symbol', 'from_chain', 'to_chain', 'recipient_address'],
  import_token: ['token_address', 'chain_id'],
  create_wallet: ['chain_id'],
  add_address: ['chain_id'],
};

/**
 * A model that was wrong, or turned, can name any amount, coin, chain and address. Each is kept only where the
 * newest message that speaks of it says exactly that and nothing else; what the user has just written and
 * cannot be read so is a doubt, whatever the model makes of it.
 */
export function grounded(proposed: Given, spoken: Spoken): Grounded {
  const { said, intent, asked, names = [] } = spoken;
  const messages = said.map((message, i) =>
    mentionsIn(withoutNames(message, names), i === said.length - 1 ? asked : undefined),
  );
  const wish = normalised(proposed, intent);
  // Whatever a wallet is called is its name.
  const isName = asked === 'wallet_name' && intent === 'create_wallet';
  const about = isName ? [] : (ABOUT[intent] ?? []);
  const read = about.map((name) => ({
    name,
    mentions: messages.map((mentions) => mentionOf(mentions, name)),
  }));
  const kept = read.flatMap(({ name, mentions }) => {
    const value = agreed(name, wish[name], mentions);
    return value === undefined ? [] : [[name, value] as const];
  });
  const known = new Map(kept);
  const doubts = read.flatMap(({ name, mentions }) => {
    const isSaid = (mentions.at(-1)?.kind ?? 'none') !== 'none';
    return isSaid && !known.has(name) ? [name] : [];
  });
  const amount = messages.at(-1)?.amount;
  return {
    parameters: { ...Object.fromEntries(kept), ...namedIn(said, wish.wallet_name) },
    doubts,
    amounts: amount?.kind === 'unclear' ? amount.options : [],
  };
}

/** Under the names that the wish itself has: one address is one parameter, and only USDC crosses. */
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

/** The user's own text for it, where the newest message that speaks of it means what is proposed. */
function agreed(
  name: Parameter,
  proposed: string | undefined,
  mentions: readonly Mention[],
): string | undefined {
  const latest = mentions.findLast(({ kind }) => kind !== 'none');
  if (proposed === undefined || latest?.kind !== 'one') return undefined;
  const same = (text: string) => (name === 'amount' ? plainDecimal(text) : text.toLowerCase());
  return same(latest.value) === same(proposed) ? latest.value : undefined;
}

/** A wallet's name is kept where somebody wrote it. */
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
