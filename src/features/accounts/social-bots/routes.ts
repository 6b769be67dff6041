import { Type } from 'typebox';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdField, objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, oneOfWords, stamped, Timestamp } from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { objectId } from '#kernel/object-id.ts';
import { BOT_PLATFORMS } from '#providers/messages/port.ts';
import { confirmLink, rejectLink, unknownLink, unlink } from './decide-link.ts';
import type { SocialBotDeps } from './deps.ts';
import { findSocialLink, listLinked, listLinks } from './link-store.ts';
import { ShownSocialLink, SocialLinks, shownSocialLink } from './shapes.ts';
import { startLink } from './start-link.ts';

const endpoint = endpoints(codedEnvelope);

const params = Type.Object({ link_id: objectIdInput('sbl') });
const One = stamped({ data: ShownSocialLink });

/** Members of the rewards app link their accounts at messengers. */
export const socialLinkRoutes = (deps: SocialBotDeps): Route[] => [
  startRoute(deps),
  ...readingRoutes(deps),
  ...decidingRoutes(deps),
];

const startRoute = (deps: SocialBotDeps): Route =>
  endpoint('POST /socialbot/start', {
    name: 'socialbot.start',
    auth: 'rewards',
    errors: ['USER_NOT_FOUND', '429 LIMIT_EXCEEDED', 'PROVIDER_NOT_CONFIGURED'],
    summary: 'Starts to link an account: a code for our bot, valid for ten minutes',
    body: Type.Object({ platform: oneOfWords(BOT_PLATFORMS) }),
    reply: {
      201: stamped({
        data: Type.Object({
          link_id: objectIdField('sbl'),
          status: Type.Literal('PENDING'),
          code: secret(explained(Type.String(), 'What the member writes to the bot')),
          bot_link: secret(explained(Type.String(), 'Opens the chat with the code in it')),
          expires_at: Timestamp,
        }),
      }),
    },
    atomic: true,
    fault: 'Failed to start the link',
    async handler({ caller, body, db }) {
      const { link, code, bot_link } = await startLink(deps, db, caller.userx_id, body.platform);
      const { link_id, expires_at } = link;
      const status = 'PENDING' as const;
      const data = { link_id: objectId('sbl', link_id), status, code, bot_link, expires_at };
      return at(201, { data });
    },
  });

const readingRoutes = ({ clock }: SocialBotDeps): Route[] => [
  endpoint('GET /socialbot/links', {
    name: 'socialbot.listLinks',
    auth: 'rewards',
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists the links of the member, newest first',
    query: Type.Object(cursorQuery),
    reply: { 200: stamped({ data: cursorPage(ShownSocialLink) }) },
    fault: 'Failed to list links',
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      const found = await listLinks(db, caller.userx_id, wanted);
      const now = clock.now();
      return {
        data: page(
          found,
          ({ serial }) => Number(serial),
          (link) => shownSocialLink(link, now),
        ),
      };
    },
  }),

  endpoint('GET /socialbot/links/{link_id}', {
    name: 'socialbot.getLink',
    auth: 'rewards',
    errors: ['NOT_FOUND'],
    summary: 'How a link stands, and which account has answered',
    params,
    reply: { 200: One },
    fault: 'Failed to read the link',
    async handler({ caller, params: { link_id }, db }) {
      const link = await findSocialLink(db, link_id, caller.userx_id);
      if (!link) throw unknownLink();
      return { data: shownSocialLink(link, clock.now()) };
    },
  }),

  endpoint('GET /socialbot/status', {
    name: 'socialbot.getStatus',
    auth: 'rewards',
    summary: 'Which accounts of the member are linked, by platform',
    reply: { 200: stamped({ data: SocialLinks }) },
    fault: 'Failed to read the linked accounts',
    async handler({ caller, db }) {
      const linked = await listLinked(db, caller.userx_id);
      const of = (platform: string) => {
        const found = linked.find((link) => link.platform === platform);
        return found === undefined ? null : shownSocialLink(found);
      };
      return { data: { telegram: of('telegram'), whatsapp: of('whatsapp') } };
    },
  }),
];

const decidingRoutes = (deps: SocialBotDeps): Route[] => [
  endpoint('POST /socialbot/links/{link_id}/confirm', {
    name: 'socialbot.confirmLink',
    auth: 'rewards',
    errors: ['NOT_FOUND', 'USER_NOT_FOUND', '409 INVALID_STATUS', 'ACCOUNT_LINKED_ELSEWHERE'],
    summary: 'The account that has answered is the member’s own: it is linked, and rewarded once',
    params,
    reply: { 200: One },
    fault: 'Failed to confirm the link',
    async handler({ caller: { userx_id }, params: { link_id }, db }) {
      return { data: shownSocialLink(await confirmLink(deps, db, { userx_id, link_id })) };
    },
  }),

  endpoint('POST /socialbot/links/{link_id}/reject', {
    name: 'socialbot.rejectLink',
    auth: 'rewards',
    errors: ['NOT_FOUND', 'USER_NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'The account that has answered is not the member’s: nothing is linked',
    params,
    reply: { 200: One },
    fault: 'Failed to reject the link',
    async handler({ caller: { userx_id }, params: { link_id }, db }) {
      return { data: shownSocialLink(await rejectLink(deps, db, { userx_id, link_id })) };
    },
  }),

  endpoint('DELETE /socialbot/links/{link_id}', {
    name: 'socialbot.unlink',
    auth: 'rewards',
    errors: ['NOT_FOUND', 'USER_NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Ends a link; its points stay, and are paid only once',
    params,
    reply: { 200: One },
    fault: 'Failed to end the link',
    async handler({ caller: { userx_id }, params: { link_id }, db }) {
      return { data: shownSocialLink(await unlink(deps, db, { userx_id, link_id })) };
    },
  }),
];
