import type { Db } from '#kernel/db/db.ts';
import { defineInbox } from '#kernel/effects/inbox.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { endLinksOf } from './decide-link.ts';
import type { SocialBotDeps } from './deps.ts';
import { SOCIAL_LINK_EVENTS } from './events.ts';
import { hear } from './hear.ts';
import { expireSocialLinks, forgetAccounts } from './link-store.ts';
import { SOCIAL_BOT_WORDS } from './reference.ts';
import { socialLinkRoutes } from './routes.ts';
import { sendReply } from './tell.ts';
import type { UnderstoodNews } from './understand.ts';
import { botWebhookRoutes } from './webhook-routes.ts';
import { forgetReplies, forgetWriters, putBotReply } from './writer-store.ts';

const DAY_MS = 24 * 3_600_000;
/** Platforms repeat a webhook for a week at most. */
const KEPT_MS = 8 * DAY_MS;
const AT_ONCE = 1000;

export interface SocialBots {
  /** In the transaction that deletes a member's account. */
  endLinks(tx: Db, userx_id: number): Promise<void>;
}

/** Accounts at messengers that members link: the bot asks who they are, the app asks whose they are. */
export function createSocialBots(deps: SocialBotDeps): Feature & SocialBots {
  const inboxes = { telegram: telegramInbox(deps), whatsapp: whatsAppInbox(deps) };
  return {
    name: 'social-bots',
    reference: SOCIAL_BOT_WORDS,
    routes: [...socialLinkRoutes(deps), ...botWebhookRoutes(deps, inboxes)],
    inboxes: Object.values(inboxes),
    events: SOCIAL_LINK_EVENTS,
    schedules: [expirySchedule(deps), forgetSchedule(deps)],
    endLinks: (tx, userx_id) => endLinksOf(tx, userx_id, deps.clock.now()),
  };
}

/** What the bot says is kept for the answer of the call. */
const telegramInbox = (deps: SocialBotDeps) =>
  defineInbox<UnderstoodNews>({
    source: 'telegram-bot',
    keptMs: KEPT_MS,
    async handle(tx, news, { id, receivedAt }) {
      const { word, reply } = await hear(deps, tx, news, receivedAt);
      if (reply) {
        const { chat, press } = news;
        await putBotReply(tx, id, deps.chatBots.telegram.answer({ chat, press }, reply));
      }
      return word;
    },
  });

const whatsAppInbox = (deps: SocialBotDeps) =>
  defineInbox<UnderstoodNews>({
    source: 'whatsapp-bot',
    keptMs: KEPT_MS,
    async handle(tx, news, { receivedAt }) {
      const said = new Date(news.at ?? receivedAt);
      const wroteAt = said < receivedAt ? said : receivedAt;
      const { word, reply } = await hear(deps, tx, news, wroteAt);
      if (reply) await sendReply(deps, tx, news, { reply, wroteAt });
      return word;
    },
  });

const expirySchedule = ({ db, clock }: Pick<SocialBotDeps, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'social-bots.expire',
    cron: '* * * * *',
    async run() {
      while ((await expireSocialLinks(db, clock.now(), AT_ONCE)) === AT_ONCE);
    },
  });

/** A day after a link has ended it is not known any more whose account it was. */
const forgetSchedule = ({ db, clock }: Pick<SocialBotDeps, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'social-bots.forget',
    cron: '47 * * * *',
    async run() {
      const before = new Date(clock.now().getTime() - DAY_MS);
      while ((await forgetAccounts(db, before, AT_ONCE)) === AT_ONCE);
      const older = new Date(before.getTime() - DAY_MS).toISOString();
      await forgetReplies(db, older);
      await forgetWriters(db, older);
    },
  });
