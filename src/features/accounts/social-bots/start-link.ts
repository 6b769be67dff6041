import { lockMember } from '#features/accounts/rewards/rewards.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { notConfigured } from '#kernel/provider-call.ts';
import type { BotPlatform } from '#providers/messages/port.ts';
import type { SocialBotDeps } from './deps.ts';
import { endOpenLink, insertSocialLink, lastStarts, type SocialLink } from './link-store.ts';
import { codeMark, newLinkCode } from './understand.ts';

const VALID_MS = 10 * 60_000;
const STARTS = { most: 10, withinMs: 24 * 3_600_000 };

interface StartedLink {
  readonly link: SocialLink;
  readonly code: string;
  readonly bot_link: string;
}

/** Begins a link with a code of ten minutes; the one before ends. Throws LIMIT_EXCEEDED after ten in a day. */
export async function startLink(
  { clock, vault, messages, chatBots }: SocialBotDeps,
  tx: Db,
  userx_id: number,
  platform: BotPlatform,
): Promise<StartedLink> {
  messages.require(platform);
  const code = newLinkCode();
  const bot_link = chatBots[platform].link(code);
  if (bot_link === undefined) throw notConfigured(`The ${platform} bot`);
  const now = clock.now();
  await lockMember(tx, userx_id);
  await requireStart(tx, userx_id, now);
  await endOpenLink(tx, userx_id, platform, now);
  const link = await insertSocialLink(tx, {
    link_id: newObjectUuid(now.getTime()),
    userx_id,
    platform,
    code_mark: codeMark(vault, platform, code),
    expires_at: new Date(now.getTime() + VALID_MS),
  });
  return { link, code, bot_link };
}

async function requireStart(tx: Db, userx_id: number, now: Date): Promise<void> {
  const starts = await lastStarts(tx, userx_id, STARTS.most);
  const oldest = new Date(starts[STARTS.most - 1] ?? 0).getTime();
  if (oldest + STARTS.withinMs <= now.getTime()) return;
  const resets_at = new Date(oldest + STARTS.withinMs).toISOString();
  throw fail('LIMIT_EXCEEDED', `There were ${STARTS.most} links in the last 24 hours`, {
    status: 429,
    details: {
      limit_id: 'social_links_a_day',
      limit: STARTS.most,
      used: STARTS.most,
      resets_at,
    },
    hint: 'Wait until resets_at, or go on with the link that is open.',
  });
}
