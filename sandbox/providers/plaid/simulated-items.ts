import { createHash, randomUUID } from 'node:crypto';
import type { AccountBase, AccountHolderCategory, AccountSubtype, AccountType } from 'plaid';
import type { World } from '#sandbox/simulator.ts';
import { SIMULATED_PLAID_PROVIDER } from './simulated-answers.ts';

/** The made-up banks of Plaid's sandbox. */
export const INSTITUTIONS = [
  { institution_id: 'ins_109508', name: 'First Platypus Bank' },
  { institution_id: 'ins_109509', name: 'First Gingham Credit Union' },
  { institution_id: 'ins_109510', name: 'Tattersall Federal Credit Union' },
] as const;
export type Institution = (typeof INSTITUTIONS)[number];

/** A public token that always links a new log-in, so that examples can name it. */
const EXAMPLE_TOKEN = 'public-sandbox-demo';
const LINK_LIFE_S = 4 * 3600;
const PUBLIC_LIFE_S = 30 * 60;

export interface Link {
  readonly link_token: string;
  readonly user_id: string;
  readonly redirect_uri: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}
export interface SimulatedPlaidItem {
  readonly item_id: string;
  readonly institution: Institution;
  readonly webhook: string | null;
  readonly accounts: readonly AccountBase[];
  readonly removed: boolean;
  /** Whether the bank has ended the log-in. */
  readonly login_required: boolean;
}
interface PublicToken {
  readonly item: SimulatedPlaidItem;
  /** Once it was exchanged, and so is good for nothing more. */
  readonly used: boolean;
  readonly expires_at: number;
}

/** What Link hands to the page that opened it. */
export interface Finished {
  readonly public_token: string;
  readonly metadata: {
    readonly institution: Institution;
    readonly accounts: readonly object[];
    readonly account_id: string;
    readonly link_session_id: string;
  };
}

export async function openLink(
  world: World,
  user_id: string,
  redirect_uri: string | null,
): Promise<Link> {
  const link_token = `link-sandbox-${randomUUID()}`;
  const created_at = world.clock.seconds();
  const link = {
    link_token,
    user_id,
    redirect_uri,
    created_at,
    expires_at: created_at + LINK_LIFE_S,
  };
  await world.records.insert(SIMULATED_PLAID_PROVIDER, 'link', link_token, link);
  return link;
}

/** Nothing when there is none of that token, or not any more. */
export async function findLink(world: World, token: string): Promise<Link | undefined> {
  const link = await world.records.get<Link>(SIMULATED_PLAID_PROVIDER, 'link', token);
  return link && link.expires_at > world.clock.seconds() ? link : undefined;
}

/** What a person has chosen at the bank. */
interface Choice {
  readonly institution_id?: string;
  readonly subtype?: string;
  /** What both accounts have, in dollars. */
  readonly available?: number;
}

/** A person has logged in at that bank and chosen the account of that name. */
export async function finishLink(
  world: World,
  { institution_id, subtype = 'checking', available }: Choice,
): Promise<Finished | undefined> {
  const wanted = institution_id ?? INSTITUTIONS[0].institution_id;
  const institution = INSTITUTIONS.find((bank) => bank.institution_id === wanted);
  if (!institution) return undefined;
  const item = newItem(institution, available);
  const { accounts } = item;
  const chosen = accounts.find((account) => account.subtype === subtype) ?? accounts[0];
  if (!chosen) return undefined;
  const public_token = `public-sandbox-${randomUUID()}`;
  const expires_at = world.clock.seconds() + PUBLIC_LIFE_S;
  const stored: PublicToken = { item, used: false, expires_at };
  await world.records.insert(SIMULATED_PLAID_PROVIDER, 'public-token', public_token, stored);
  const { account_id: id, name, mask, type } = chosen;
  const account = { id, name, mask, type, subtype: chosen.subtype, verification_status: null };
  const metadata = {
    institution,
    accounts: [account],
    account_id: id,
    link_session_id: randomUUID(),
  };
  return { public_token, metadata };
}

/** The access token and the item, once per public token. */
export async function exchangeToken(
  world: World,
  token: string,
): Promise<{ access_token: string; item_id: string } | undefined> {
  const item = token === EXAMPLE_TOKEN ? newItem(INSTITUTIONS[0]) : await useUp(world, token);
  if (!item) return undefined;
  const access_token = `access-sandbox-${randomUUID()}`;
  await world.records.insert(SIMULATED_PLAID_PROVIDER, 'item', access_token, item);
  return { access_token, item_id: item.item_id };
}

async function useUp(world: World, token: string): Promise<SimulatedPlaidItem | undefined> {
  const now = world.clock.seconds();
  const used = await world.records.update<PublicToken>(
    SIMULATED_PLAID_PROVIDER,
    'public-token',
    token,
    (found) => (found.used || found.expires_at <= now ? undefined : { ...found, used: true }),
  );
  return used?.item;
}

const newItem = (institution: Institution, available?: number): SimulatedPlaidItem => ({
  item_id: newId(),
  institution,
  webhook: null,
  accounts: newAccounts(available),
  removed: false,
  login_required: false,
});

export const findItem = (world: World, access_token: string) =>
  world.records.get<SimulatedPlaidItem>(SIMULATED_PLAID_PROVIDER, 'item', access_token);

/** False where there is none of that token, or where it was removed before. */
export async function removeItem(world: World, access_token: string): Promise<boolean> {
  const removed = await world.records.update<SimulatedPlaidItem>(
    SIMULATED_PLAID_PROVIDER,
    'item',
    access_token,
    (item) => (item.removed ? undefined : { ...item, removed: true }),
  );
  return removed !== undefined;
}

/** The bank ends the log-in, or its owner has logged in again. */
export async function setLoginRequired(
  world: World,
  access_token: string,
  login_required: boolean,
): Promise<SimulatedPlaidItem | undefined> {
  return world.records.update<SimulatedPlaidItem>(
    SIMULATED_PLAID_PROVIDER,
    'item',
    access_token,
    (item) => (item.removed ? undefined : { ...item, login_required }),
  );
}

/** Letters and digits, as their ids are. */
const newId = (): string =>
  createHash('sha256').update(randomUUID()).digest('base64url').replace(/[-_]/g, 'a').slice(0, 37);

const newAccounts = (available?: number): AccountBase[] => [
  account({ subtype: 'checking', mask: '0000', available: available ?? 10_000, pending: 110 }),
  account({ subtype: 'savings', mask: '1111', available: available ?? 200, pending: 10 }),
];

function account(given: {
  readonly subtype: 'checking' | 'savings';
  readonly mask: string;
  readonly available: number;
  readonly pending: number;
}): AccountBase {
  const { subtype, mask, available, pending } = given;
  const word = subtype === 'checking' ? 'Checking' : 'Saving';
  return {
    account_id: newId(),
    balances: {
      available,
      current: available + pending,
      limit: null,
      iso_currency_code: 'USD',
      unofficial_currency_code: null,
    },
    mask,
    name: `Plaid ${word}`,
    official_name: `Plaid Standard ${word} Account`,
    type: 'depository' as AccountType,
    subtype: subtype as AccountSubtype,
    holder_category: 'personal' as AccountHolderCategory,
  };
}
