import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { World } from '#sandbox/simulator.ts';

export const ISSUING_SIMULATOR = 'issuing';
const CARD = 'card';
const USER = 'user';
const PAGE = 'page';

export interface SimulatedUser {
  readonly token: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email?: string | undefined;
  readonly created_time: string;
}

export type SimulatedCardState = 'UNACTIVATED' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED';

/** As the processor keeps it, with what only its own pages show. */
export interface SimulatedCard {
  readonly token: string;
  readonly user_token: string;
  readonly card_product_token: string;
  readonly pan: string;
  readonly cvv: string;
  /** `MMYY`. */
  readonly expiration: string;
  readonly name: string;
  readonly pin_is_set: boolean;
  readonly state: SimulatedCardState;
  readonly state_reason: string;
  readonly created_time: string;
  readonly last_modified_time: string;
}

type Kept = Pick<World, 'records' | 'clock'>;

/** Undefined where that token is taken. */
export async function addUser(
  { records, clock }: Kept,
  user: Omit<SimulatedUser, 'token' | 'created_time'> & { readonly token?: string | undefined },
): Promise<SimulatedUser | undefined> {
  const token = user.token ?? randomUUID();
  const made = { ...user, token, created_time: clock.now().toISOString() };
  return (await records.insert(ISSUING_SIMULATOR, USER, token, made)) ? made : undefined;
}

export const simulatedUserOf = ({ records }: Kept, token: string) =>
  records.get<SimulatedUser>(ISSUING_SIMULATOR, USER, token);

export const simulatedCardOf = ({ records }: Kept, token: string) =>
  records.get<SimulatedCard>(ISSUING_SIMULATOR, CARD, token);

const YEARS = 4;

/** Undefined where that token is taken. */
export async function addCard(
  { records, clock }: Kept,
  asked: Pick<SimulatedCard, 'user_token' | 'card_product_token' | 'name'> & {
    readonly token?: string | undefined;
  },
): Promise<SimulatedCard | undefined> {
  const token = asked.token ?? randomUUID();
  const now = clock.now();
  const at = now.toISOString();
  const card: SimulatedCard = {
    ...asked,
    token,
    pan: testNumber(),
    cvv: String(randomInt(1000)).padStart(3, '0'),
    expiration: `${String(now.getUTCMonth() + 1).padStart(2, '0')}${String((now.getUTCFullYear() + YEARS) % 100).padStart(2, '0')}`,
    pin_is_set: false,
    state: 'UNACTIVATED',
    state_reason: 'New card',
    created_time: at,
    last_modified_time: at,
  };
  return (await records.insert(ISSUING_SIMULATOR, CARD, token, card)) ? card : undefined;
}

/** Of a range that no issuer has, with its check digit. */
function testNumber(): string {
  const body = `411111${String(randomInt(10 ** 9)).padStart(9, '0')}`;
  const sum = [...body].reduce((all, digit, n) => {
    const doubled = n % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return all + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const NEXT: Readonly<Record<SimulatedCardState, readonly SimulatedCardState[]>> = {
  UNACTIVATED: ['ACTIVE', 'SUSPENDED', 'TERMINATED'],
  ACTIVE: ['SUSPENDED', 'TERMINATED'],
  SUSPENDED: ['ACTIVE', 'TERMINATED'],
  TERMINATED: [],
};

/** Undefined where the card may not go there. */
export const moveSimulatedCard = (
  { records, clock }: Kept,
  token: string,
  state: SimulatedCardState,
  state_reason: string,
): Promise<SimulatedCard | undefined> =>
  records.update<SimulatedCard>(ISSUING_SIMULATOR, CARD, token, (card) =>
    NEXT[card.state].includes(state)
      ? { ...card, state, state_reason, last_modified_time: clock.now().toISOString() }
      : undefined,
  );

export const setSimulatedPin = ({ records }: Kept, token: string) =>
  records.update<SimulatedCard>(ISSUING_SIMULATOR, CARD, token, (card) => ({
    ...card,
    pin_is_set: true,
  }));

/** What a token opens: once, within five minutes. */
interface SimulatedPage {
  readonly card_token: string;
  readonly kind: 'card' | 'pin';
  readonly expires: string;
}

const PAGE_MS = 5 * 60_000;

export async function openSimulatedPage(
  { records, clock }: Kept,
  card_token: string,
  kind: SimulatedPage['kind'],
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const expires = new Date(clock.ms() + PAGE_MS).toISOString();
  await records.insert(ISSUING_SIMULATOR, PAGE, token, { card_token, kind, expires });
  return token;
}

/** The card of a token, while it may be used. */
export async function cardOfPage(
  world: Kept,
  token: string,
  kind: SimulatedPage['kind'],
): Promise<SimulatedCard | undefined> {
  const page = await world.records.get<SimulatedPage>(ISSUING_SIMULATOR, PAGE, token);
  if (page?.kind !== kind || page.expires <= world.clock.now().toISOString()) return undefined;
  return simulatedCardOf(world, page.card_token);
}

/** False where it was used before. */
export const useSimulatedPage = ({ records }: Kept, token: string): Promise<boolean> =>
  records.remove(ISSUING_SIMULATOR, PAGE, token);
