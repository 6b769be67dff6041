import { lockMember } from '#features/accounts/rewards/rewards.ts';
import { decide } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { BOT_PLATFORMS } from '#providers/messages/port.ts';
import type { SocialBotDeps } from './deps.ts';
import { emitSocialLink } from './events.ts';
import {
  deleteLinked,
  endOpenLink,
  insertLinked,
  listLinked,
  lockLinkOfMember,
  moveSocialLink,
  type SocialLink,
} from './link-store.ts';
import { statusAt } from './shapes.ts';
import { tellAccount } from './tell.ts';

/** Whose link it is, and its id. */
export interface OwnLink {
  readonly userx_id: number;
  readonly link_id: string;
}

export const unknownLink = () => fail('NOT_FOUND', 'Link not found');
const linkedElsewhere = () =>
  fail('ACCOUNT_LINKED_ELSEWHERE', 'The account is linked already, or another one of yours is');

type Decision = (tx: Db, link: SocialLink) => Promise<SocialLink | AppError>;

/** What a member does is decided one after the other, and the bot waits for the lock of the link, too. */
const decideLink = (db: Db, { userx_id, link_id }: OwnLink, work: Decision): Promise<SocialLink> =>
  decide(db, async (tx) => {
    await lockMember(tx, userx_id);
    const link = await lockLinkOfMember(tx, link_id, userx_id);
    return link ? work(tx, link) : unknownLink();
  });

/** "This account is mine": linked and paid, once. The unique indexes decide between two members with one account. */
export const confirmLink = (deps: SocialBotDeps, db: Db, own: OwnLink): Promise<SocialLink> =>
  decideLink(db, own, async (tx, link) => {
    const now = deps.clock.now();
    const status = statusAt(link, now);
    if (status === 'LINKED') return link;
    if (status === 'CONFLICT') return linkedElsewhere();
    if (status !== 'CONFIRMING') return notAllowedIn(status, ['CONFIRMING']);
    if (!(await insertLinked(tx, link))) {
      const ended_at = now.toISOString();
      await moveSocialLink(tx, link.link_id, { status: 'CONFLICT', ended_at });
      await tellAccount(deps, tx, link, 'takenByAnother');
      return linkedElsewhere();
    }
    await tellAccount(deps, tx, link, 'linked');
    const paid = await deps.claim(tx, own.userx_id, link.platform);
    const linked_at = now.toISOString();
    const linked = await moveSocialLink(tx, link.link_id, { ...paid, status: 'LINKED', linked_at });
    emitSocialLink(tx, 'linked', linked);
    return linked;
  });

export const rejectLink = (deps: SocialBotDeps, db: Db, own: OwnLink): Promise<SocialLink> =>
  decideLink(db, own, async (tx, link) => {
    const now = deps.clock.now();
    const status = statusAt(link, now);
    if (status === 'REJECTED') return link;
    if (status !== 'CONFIRMING') return notAllowedIn(status, ['CONFIRMING']);
    const ended_at = now.toISOString();
    const rejected = await moveSocialLink(tx, link.link_id, { status: 'REJECTED', ended_at });
    await tellAccount(deps, tx, rejected, 'notTheirs');
    emitSocialLink(tx, 'rejected', rejected);
    return rejected;
  });

export const unlink = (deps: SocialBotDeps, db: Db, own: OwnLink): Promise<SocialLink> =>
  decideLink(db, own, async (tx, link) => {
    const now = deps.clock.now();
    const status = statusAt(link, now);
    if (status === 'UNLINKED') return link;
    if (status !== 'LINKED') return notAllowedIn(status, ['LINKED']);
    return unlinked(tx, link, now);
  });

async function unlinked(tx: Db, { link_id }: SocialLink, now: Date): Promise<SocialLink> {
  await deleteLinked(tx, link_id);
  const ended_at = now.toISOString();
  const row = await moveSocialLink(tx, link_id, { status: 'UNLINKED', ended_at });
  emitSocialLink(tx, 'unlinked', row);
  return row;
}

/** The member deletes their account: what is linked is free again, what is open is over. */
export async function endLinksOf(tx: Db, userx_id: number, now: Date): Promise<void> {
  for (const link of await listLinked(tx, userx_id)) await unlinked(tx, link, now);
  for (const platform of BOT_PLATFORMS) await endOpenLink(tx, userx_id, platform, now);
}
