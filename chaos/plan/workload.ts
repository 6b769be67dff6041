import { createHash } from 'node:crypto';
import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { type Random, randomOf } from '#test/random.ts';
import { type ExtraFlow, extrasOf } from './extras.ts';

/** Clients work side by side for fewer users, so that some share their wallets. */
export const USERS = 10;
const CLIENTS = 12;
const FLOWS_EACH = 12;

/** Chains that users of crypto have money on. */
export const PLACES = ['sepolia', 'amoy'] as const satisfies readonly ChainKey[];
export type Place = (typeof PLACES)[number];

/** Every second user has a managed wallet with money in it. */
export const hasCrypto = (user: number): boolean => user % 2 === 0;

export type CardName = 'good' | 'silent' | 'declined' | 'poor';

/**
 * A user's goal, in one request or several that build on each other. Its movements are recognisable by an amount, a
 * receiver or a name that is unique in the run.
 */
export type Flow = { readonly name: string; readonly user: number } & (
  | {
      readonly kind: 'top-up';
      readonly card: CardName;
      readonly cents: number;
      /** The amount refunded afterwards. */
      readonly refund?: number;
      /** The network changes its status afterwards. */
      readonly word?: boolean;
    }
  | { readonly kind: 'push'; readonly cents: number }
  | { readonly kind: 'validate'; readonly card: CardName }
  | { readonly kind: 'member'; readonly phone: string; readonly actions: readonly MemberAction[] }
  | { readonly kind: 'fiat-wallet'; readonly currency: (typeof MORE_CURRENCIES)[number] }
  | { readonly kind: 'crypto-wallet'; readonly chains: readonly ChainKey[] }
  | {
      readonly kind: 'send';
      readonly chain: Place;
      readonly asset: 'USDC' | 'native';
      readonly units: string;
      readonly to: Address;
    }
  | {
      readonly kind: 'test-mint';
      readonly chain: Place;
      readonly units: string;
      readonly to: Address;
    }
  | {
      readonly kind: 'transfer';
      readonly from: Place;
      readonly into: Place;
      readonly units: string;
      readonly to: Address;
    }
  | { readonly kind: 'cardano-mint'; readonly cents: number }
  | { readonly kind: 'cardano-round'; readonly cents: number }
  | { readonly kind: 'xrpl-ramp'; readonly cents: number }
  | { readonly kind: 'rupiah-in'; readonly rupiah: number; readonly to: Address }
  | { readonly kind: 'rupiah-out'; readonly rupiah: number; readonly account: string }
  | {
      readonly kind: 'bank-top-up';
      readonly cents: number;
      /** The bank takes it back afterwards (not in mock mode, which has no bank). */
      readonly returned: boolean;
    }
  | { readonly kind: 'conversion'; readonly rupiah: number }
  | ExtraFlow
  | {
      readonly kind: 'purchase';
      readonly version: 'v1' | 'v2';
      readonly chain: Place;
      readonly cents: number;
    }
  | { readonly kind: 'order'; readonly shop: Shop; readonly chain: Place }
  | {
      readonly kind: 'talk';
      readonly chain: Place;
      readonly units: string;
      readonly to: Address;
    }
);

/** The marketplaces of orders: one with prices in dollars, one in rupiah. */
export const SHOPS = ['marketplace_1', 'marketplace_2'] as const;
export type Shop = (typeof SHOPS)[number];

/** The chain on which purchases of the first version are paid. */
export const FIRST_VERSION_CHAIN = 'amoy' satisfies Place;

const MORE_CURRENCIES = ['SGD', 'AUD', 'INR', 'VND', 'IDR'] as const;
export type MemberAction = 'username' | 'contacts' | 'instagram' | 'telegram';

type Kind = Exclude<Flow['kind'], ExtraFlow['kind']>;

/** The share of each kind among all flows. */
const SHARES: readonly (readonly [Kind, number])[] = [
  ['top-up', 32],
  ['push', 16],
  ['validate', 4],
  ['member', 10],
  ['fiat-wallet', 5],
  ['crypto-wallet', 6],
  ['send', 14],
  ['test-mint', 5],
  ['transfer', 8],
  ['cardano-mint', 6],
  ['cardano-round', 6],
  ['xrpl-ramp', 8],
  ['rupiah-in', 8],
  ['rupiah-out', 6],
  ['bank-top-up', 10],
  ['conversion', 8],
  ['purchase', 9],
  ['order', 8],
  ['talk', 9],
];

/** The flows that need a funded wallet on the chains. */
const FROM_WALLETS: readonly Kind[] = [
  'send',
  'transfer',
  'rupiah-out',
  'purchase',
  'order',
  'talk',
];

/** The flows of each client. The same for the same seed, independent of the blows. */
export function planFlows(seed: number): Flow[][] {
  return Array.from({ length: CLIENTS }, (_, client) => {
    const random = randomOf(seed, `client ${client}`);
    const user = client % USERS;
    let mayTalk = isAlone(user);
    const flows = Array.from({ length: FLOWS_EACH }, (_unused, n) => {
      const serial = client * FLOWS_EACH + n + 1;
      const named = { name: `c${client}.${n}`, user };
      const flow = planFlow({ seed, serial, named, random, mayTalk });
      mayTalk &&= flow.kind !== 'talk';
      return flow;
    });
    return extrasOf(client, client < USERS).reduce<Flow[]>(
      (all, [at, name, extra]) =>
        all.toSpliced(at % FLOWS_EACH, 0, { name: `c${client}.${name}`, user, ...extra }),
      flows,
    );
  });
}

/** Whether no other client acts for that user. */
const isAlone = (user: number): boolean => user + USERS >= CLIENTS && user >= CLIENTS - USERS;

interface Making {
  readonly seed: number;
  /** Another number for each flow of the run: the source of unique amounts and receivers. */
  readonly serial: number;
  readonly named: { readonly name: string; readonly user: number };
  readonly random: Random;
  /**
   * Each user has one conversation with the agent, in which a yes confirms the last question: so each user makes one
   * request, by one client.
   */
  readonly mayTalk: boolean;
}

function planFlow(making: Making): Flow {
  const { seed, serial, named, random } = making;
  const kind = kindOf(making);
  const to = (what: string) => addressOf(`${seed} ${serial} ${what}`);
  switch (kind) {
    case 'top-up':
      return topUp(making);
    case 'push':
      return { ...named, kind, cents: 200 + serial };
    case 'cardano-mint':
    case 'cardano-round':
    case 'xrpl-ramp':
      return { ...named, kind, cents: 300 + serial };
    case 'validate':
      return { ...named, kind, card: random.chance(0.7) ? 'good' : 'declined' };
    case 'member':
      return { ...named, kind, phone: `+1202${5550000 + serial}`, actions: actionsOf(random) };
    case 'fiat-wallet':
      return { ...named, kind, currency: random.pick(MORE_CURRENCIES) };
    case 'crypto-wallet':
      return { ...named, kind, chains: random.chance(0.5) ? ['neon'] : ['sepolia', 'amoy'] };
    case 'send': {
      const asset = random.chance(0.7) ? 'USDC' : 'native';
      // A thousandth of a coin, and a dollar.
      const base = asset === 'USDC' ? 1_000_000n : 10n ** 15n;
      const units = String(base + BigInt(serial));
      return { ...named, kind, chain: random.pick(PLACES), asset, units, to: to('send') };
    }
    case 'rupiah-in':
      return { ...named, kind, rupiah: 50_000 + serial, to: to('rupiah') };
    case 'rupiah-out':
      return { ...named, kind, rupiah: 30_000 + serial, account: String(10_000_000 + serial) };
    case 'test-mint': {
      const units = String(2_000_000 + serial);
      return { ...named, kind, chain: random.pick(PLACES), units, to: to('mint') };
    }
    case 'transfer': {
      const from = random.pick(PLACES);
      const into = from === 'sepolia' ? 'amoy' : 'sepolia';
      return { ...named, kind, from, into, units: String(3_000_000 + serial), to: to('transfer') };
    }
    default:
      return { ...named, ...planMore(kind, making) };
  }
}

type MoreKind = 'bank-top-up' | 'conversion' | 'purchase' | 'order' | 'talk';
type Unnamed<F> = F extends Flow ? Omit<F, 'name' | 'user'> : never;

/** The flows of banks, exchanges, shops and the agent. */
function planMore(kind: MoreKind, making: Making): Unnamed<Extract<Flow, { kind: MoreKind }>> {
  const { seed, serial, random } = making;
  switch (kind) {
    case 'bank-top-up':
      return { kind, cents: 4_000 + serial, returned: random.chance(0.4) };
    case 'conversion':
      return { kind, rupiah: 200_000 + serial };
    case 'purchase': {
      const cents = 400 + serial;
      if (random.chance(0.5)) return { kind, version: 'v1', chain: FIRST_VERSION_CHAIN, cents };
      return { kind, version: 'v2', chain: random.pick(PLACES), cents };
    }
    case 'order':
      return { kind, shop: random.pick(SHOPS), chain: random.pick(PLACES) };
    case 'talk': {
      const to = addressOf(`${seed} ${serial} talk`);
      return { kind, chain: random.pick(PLACES), units: String(5_000_000 + serial), to };
    }
  }
}

function topUp({ serial, named, random }: Making): Flow {
  const card = random.pick<CardName>([...Array(8).fill('good'), 'silent', 'declined', 'poor']);
  const bare = { ...named, kind: 'top-up', card, cents: 5_000 + serial } as const;
  const next = random.int(1, 10);
  // At least a fifth of the amount; the refund is unique, too.
  if (next <= 4) return { ...bare, refund: 1_000 + serial };
  return next === 5 ? { ...bare, word: true } : bare;
}

function actionsOf(random: Random): MemberAction[] {
  const all = ['username', 'contacts', 'instagram', 'telegram'] as const;
  return all.slice(0, random.int(1, all.length));
}

function kindOf({ random, named: { user }, mayTalk }: Making): Kind {
  const shares = SHARES.filter(
    ([kind]) => (hasCrypto(user) || !FROM_WALLETS.includes(kind)) && (mayTalk || kind !== 'talk'),
  );
  let drawn = random.int(
    1,
    shares.reduce((sum, [, share]) => sum + share, 0),
  );
  for (const [kind, share] of shares) {
    drawn -= share;
    if (drawn <= 0) return kind;
  }
  throw new Error('The shares do not add up');
}

/** An address without a known key. */
export const addressOf = (text: string): Address =>
  `0x${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
