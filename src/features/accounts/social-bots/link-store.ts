import { type Db, run } from '#kernel/db/db.ts';
import { type Moves, movesOf } from '#kernel/db/move.ts';
import type { Row } from '#kernel/db/row.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import { BOT_PLATFORMS, type BotPlatform } from '#providers/messages/port.ts';

export const SOCIAL_LINK_STATUSES = [
  ...(['PENDING', 'ASKED', 'CONFIRMING', 'LINKED', 'REJECTED', 'EXPIRED', 'CONFLICT'] as const),
  'UNLINKED',
] as const;
export type SocialLinkStatus = (typeof SOCIAL_LINK_STATUSES)[number];

/** Those that still may lead to a linked account. */
export const OPEN_LINK = ['PENDING', 'ASKED', 'CONFIRMING'] as const;

/** A link between a member and an account, from its start to its end. */
export type SocialLink = Omit<Row<'social_links'>, 'platform' | 'status' | 'language'> & {
  readonly platform: BotPlatform;
  readonly status: SocialLinkStatus;
  readonly language: PageLanguage | null;
};

const { move }: Moves<SocialLink> = movesOf<SocialLink>('social_links');
/** Moves a link that its transaction has locked. */
export const moveSocialLink = (tx: Db, link_id: string, changes: Partial<SocialLink>) =>
  move(tx, { link_id }, changes);

export interface NewSocialLink {
  readonly link_id: string;
  readonly userx_id: number;
  readonly platform: BotPlatform;
  readonly code_mark: Buffer;
  readonly expires_at: Date;
}

export async function insertSocialLink(tx: Db, link: NewSocialLink): Promise<SocialLink> {
  const { link_id, userx_id, platform, code_mark, expires_at } = link;
  const [row] = await run<SocialLink>(
    tx,
    `insert into social_links (link_id, userx_id, platform, code_mark, expires_at)
     values ($1, $2, $3, $4, $5) returning *`,
    [link_id, userx_id, platform, code_mark, expires_at],
  );
  if (!row) throw new Error('a link was not inserted');
  return row;
}

/** Ends what is open of a member at a platform: a new one takes its place. */
export const endOpenLink = (tx: Db, userx_id: number, platform: BotPlatform, at: Date) =>
  run(
    tx,
    `update social_links set status = 'EXPIRED', ended_at = $3
      where userx_id = $1 and platform = $2 and status in ('PENDING', 'ASKED', 'CONFIRMING')
      returning link_id`,
    [userx_id, platform, at],
  );

/** When the member has started links, the newest first. */
export async function lastStarts(tx: Db, userx_id: number, most: number): Promise<string[]> {
  const rows = await run<Pick<SocialLink, 'created_at'>>(
    tx,
    'select created_at from social_links where userx_id = $1 order by serial desc limit $2',
    [userx_id, most],
  );
  return rows.map(({ created_at }) => created_at);
}

/** With the row locked: what a bot and its member do to a link is decided one after the other. */
export async function lockLinkByCode(
  tx: Db,
  platform: BotPlatform,
  code_mark: Buffer,
): Promise<SocialLink | undefined> {
  const [row] = await run<SocialLink>(
    tx,
    `select * from social_links
      where platform = $1 and code_mark = $2 and status in ('PENDING', 'ASKED', 'CONFIRMING')
      for no key update`,
    [platform, code_mark],
  );
  return row;
}

/** The same of the account that was asked. */
export async function lockLinkOfAccount(
  tx: Db,
  link_id: string,
  account: BotKey,
): Promise<SocialLink | undefined> {
  const [row] = await run<SocialLink>(
    tx,
    `select * from social_links
      where link_id = $1 and platform = $2 and account_id = $3 for no key update`,
    [link_id, account.platform, account.account_id],
  );
  return row;
}

/** The same of its member. */
export async function lockLinkOfMember(
  tx: Db,
  link_id: string,
  userx_id: number,
): Promise<SocialLink | undefined> {
  const [row] = await run<SocialLink>(
    tx,
    'select * from social_links where link_id = $1 and userx_id = $2 for no key update',
    [link_id, userx_id],
  );
  return row;
}

export async function findSocialLink(
  db: Db,
  link_id: string,
  userx_id: number,
): Promise<SocialLink | undefined> {
  const [row] = await run<SocialLink>(
    db,
    'select * from social_links where link_id = $1 and userx_id = $2',
    [link_id, userx_id],
  );
  return row;
}

/** Newest first. */
export const listLinks = (
  db: Db,
  userx_id: number,
  { limit, before = Number.MAX_SAFE_INTEGER }: LinkPage,
): Promise<SocialLink[]> =>
  run<SocialLink>(
    db,
    `select * from social_links where userx_id = $1 and serial < $3 order by serial desc limit $2`,
    [userx_id, limit, before],
  );

interface LinkPage {
  readonly limit: number;
  readonly before: number | undefined;
}

/** Those of a member that are linked now. */
export const listLinked = (db: Db, userx_id: number): Promise<SocialLink[]> =>
  run<SocialLink>(
    db,
    `select l.* from social_accounts a join social_links l using (link_id)
      where a.userx_id = $1 limit $2`,
    [userx_id, BOT_PLATFORMS.length],
  );

/** An account at a platform. */
export interface BotKey {
  readonly platform: BotPlatform;
  readonly account_id: string;
}

/** The unique indexes decide: false where the account or the member is linked already. */
export async function insertLinked(tx: Db, link: SocialLink): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into social_accounts (platform, account_id, userx_id, link_id) values ($1, $2, $3, $4)
     on conflict do nothing returning link_id`,
    [link.platform, link.account_id, link.userx_id, link.link_id],
  );
  return rows.length === 1;
}

export const deleteLinked = (tx: Db, link_id: string) =>
  run(tx, 'delete from social_accounts where link_id = $1', [link_id]);

/** Whether the account, or another one of the member, is linked. */
export async function isAccountTaken(
  tx: Db,
  { platform, account_id }: BotKey,
  userx_id: number,
): Promise<boolean> {
  const rows = await run(
    tx,
    `select from social_accounts where platform = $1 and (account_id = $2 or userx_id = $3)`,
    [platform, account_id, userx_id],
  );
  return rows.length > 0;
}

/** Ends links whose time is over; answers how many. */
export async function expireSocialLinks(db: Db, at: Date, most: number): Promise<number> {
  const rows = await run(
    db,
    `update social_links set status = 'EXPIRED', ended_at = $1
      where ctid = any(array(select ctid from social_links
        where expires_at <= $1 and status in ('PENDING', 'ASKED', 'CONFIRMING')
        order by expires_at limit $2))
        and expires_at <= $1 and status in ('PENDING', 'ASKED', 'CONFIRMING')
      returning link_id`,
    [at, most],
  );
  return rows.length;
}

/** Forgets whose account it was, of links that ended before; answers how many. */
export async function forgetAccounts(db: Db, before: Date, most: number): Promise<number> {
  const rows = await run(
    db,
    `update social_links set account_id = null, address = null, display_name = null, handle = null
      where ctid = any(array(select ctid from social_links
        where account_id is not null and ended_at < $1 limit $2))
        and account_id is not null and ended_at < $1
      returning link_id`,
    [before, most],
  );
  return rows.length;
}
