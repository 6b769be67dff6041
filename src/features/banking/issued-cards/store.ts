import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { movesOf } from '#kernel/db/move.ts';
import type { Row } from '#kernel/db/row.ts';
import type { CardControls } from './controls.ts';

export const ISSUED_CARD_STATUSES = [
  ...(['PENDING', 'INACTIVE', 'ACTIVE', 'FROZEN', 'CLOSED', 'EXPIRED', 'FAILED'] as const),
] as const;
export type IssuedCardStatus = (typeof ISSUED_CARD_STATUSES)[number];
export const CLOSED_REASONS = ['USER', 'LOST', 'STOLEN', 'FRAUD'] as const;
export type ClosedReason = (typeof CLOSED_REASONS)[number];

type Columns = Row<'issued_cards'>;

export type IssuedCard = Omit<
  Columns,
  'status' | 'usage' | 'frozen_by' | 'closed_reason' | 'owner_controls' | 'client_controls'
> & {
  readonly status: IssuedCardStatus;
  readonly usage: 'many' | 'single';
  readonly frozen_by: 'OWNER' | 'ADMIN' | null;
  readonly closed_reason: ClosedReason | null;
  readonly owner_controls: CardControls;
  readonly client_controls: CardControls;
  /** The card that was made in its place. */
  readonly replaced_by: string | null;
};

export type NewIssuedCardRow = Pick<
  IssuedCard,
  | ('card_id' | 'operation' | 'client_id' | 'user_id' | 'wallet_id' | 'currency')
  | ('name_on_card' | 'usage' | 'valid_until' | 'replaces' | 'owner_controls' | 'client_controls')
>;

const NEW = [
  ...['card_id', 'operation', 'client_id', 'user_id', 'wallet_id', 'currency', 'name_on_card'],
  ...['usage', 'valid_until', 'replaces', 'owner_controls', 'client_controls'],
].join();
const CARDS = `select c.*, n.card_id as replaced_by
  from issued_cards c left join issued_cards n on n.replaces = c.card_id`;

/** Undefined where the same request has made it before. */
export async function insertIssuedCard(
  tx: Db,
  card: NewIssuedCardRow,
): Promise<IssuedCard | undefined> {
  const [row] = await run<Omit<IssuedCard, 'replaced_by'>>(
    tx,
    `insert into issued_cards (${NEW}) select ${NEW} from json_populate_record(null::issued_cards, $1::json)
     on conflict (operation) do nothing returning *`,
    [JSON.stringify(card)],
  );
  return row && { ...row, replaced_by: null };
}

const one = async (db: Db, where: string, values: readonly unknown[]) =>
  (await run<IssuedCard>(db, `${CARDS} where ${where}`, values))[0];

/** Within reach, also one that has ended. */
export const findIssuedCard = (
  db: Db,
  { user_id, client_id }: TenantScope,
  card_id: string,
): Promise<IssuedCard | undefined> =>
  one(
    db,
    `c.card_id = $1 and ($2::integer is null or c.user_id = $2)
       and ($3::integer is null or c.client_id = $3)`,
    [card_id, user_id ?? null, client_id ?? null],
  );

export const issuedCardOfOperation = (db: Db, operation: string): Promise<IssuedCard | undefined> =>
  one(db, 'c.operation = $1', [operation]);

/** Locks it until the transaction ends: acts on it wait for one another. */
export const lockIssuedCard = (
  tx: Db,
  reach: TenantScope,
  card_id: string,
): Promise<IssuedCard | undefined> =>
  one(
    tx,
    `c.card_id = $1 and ($2::integer is null or c.user_id = $2)
       and ($3::integer is null or c.client_id = $3) for no key update of c`,
    [card_id, reach.user_id ?? null, reach.client_id ?? null],
  );

/** Newest first. */
export async function listIssuedCards(
  db: Db,
  { user_id, client_id }: TenantScope,
  status: IssuedCardStatus | undefined,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<IssuedCard[]> {
  const wanted = [
    ...[['c.user_id =', user_id] as const, ['c.client_id =', client_id] as const],
    ...[['c.status =', status] as const, ['c.serial <', before] as const],
  ].filter(([, value]) => value !== undefined);
  const where = wanted.map(([column], n) => `${column} $${n + 1}`);
  return run(
    db,
    `${CARDS} ${where.length > 0 ? `where ${where.join(' and ')}` : ''}
     order by c.serial desc limit $${where.length + 1}`,
    [...wanted.map(([, value]) => value), limit],
  );
}

const moves = movesOf<Omit<IssuedCard, 'replaced_by'>>('issued_cards');

type Changes = Partial<
  Pick<IssuedCard, 'last4' | 'expiry' | 'ends_at' | 'frozen_by' | 'closed_reason' | 'failure_code'>
>;

/** Moves one that is locked, and counts its version. */
export async function moveIssuedCard(
  tx: Db,
  card: IssuedCard,
  status: IssuedCardStatus,
  changes: Changes = {},
): Promise<IssuedCard> {
  const { card_id, status: was, version } = card;
  const frozen = status === 'FROZEN' ? {} : { frozen_by: null };
  const row = await moves.move(
    tx,
    { card_id, status: was },
    { status, version: version + 1, ...frozen, ...changes, updated_at: await nowOf(tx) },
  );
  return { ...card, ...row };
}

/** Replaces the controls of one side, of one that is locked. */
export async function setControls(
  tx: Db,
  card: IssuedCard,
  side: 'owner_controls' | 'client_controls',
  controls: CardControls,
): Promise<IssuedCard> {
  const text = `update issued_cards set ${side} = $2::jsonb, version = version + 1, updated_at = service_now()
    where card_id = $1 returning *`;
  const [row] = await run<IssuedCard>(tx, text, [card.card_id, JSON.stringify(controls)]);
  if (!row) throw new Error(`Card ${card.card_id} is not there`);
  return { ...card, ...row };
}

const nowOf = async (tx: Db): Promise<string> =>
  (await run<{ at: string }>(tx, 'select service_now() as at', []))[0]?.at ?? '';

/** How many the user has that have not ended. */
export async function countOpenCards(tx: Db, user_id: number): Promise<number> {
  const text = `select from issued_cards
    where user_id = $1 and status in ('PENDING', 'INACTIVE', 'ACTIVE', 'FROZEN')`;
  return (await run(tx, text, [user_id])).length;
}

/** Locks those whose time is over, up to the limit. An open card has no replacement. */
export function endedCards(tx: Db, limit: number): Promise<IssuedCard[]> {
  const text = `select *, null::uuid as replaced_by from issued_cards where card_id = any (array(
      select card_id from issued_cards where status in ('INACTIVE', 'ACTIVE', 'FROZEN')
        and ends_at <= service_now() order by ends_at limit $1))
    and status in ('INACTIVE', 'ACTIVE', 'FROZEN') for no key update skip locked`;
  return run(tx, text, [limit]);
}
