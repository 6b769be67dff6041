import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id } from '#kernel/http/declare/schema.ts';
import { objectId } from '#kernel/object-id.ts';
import type { SocialLink } from './link-store.ts';
import { SOCIAL_LINK_FIELDS, shownSocialLink } from './shapes.ts';

const SocialLinkData = named('SocialLinkEventData', { userx_id: Id, ...SOCIAL_LINK_FIELDS });

/** Links of members, who have no client: the operator gets the events. */
const links = defineObject<SocialLink, typeof SocialLinkData>({
  schema: SocialLinkData,
  since: '2026-11',
  example: {
    userx_id: 5,
    link_id: 'sbl_06f4t3xet5c77bsdh7wedf8g8s',
    platform: 'telegram',
    status: 'LINKED',
    account: { display_name: 'Ada', handle: '@a•••e' },
    points_awarded: 50,
    already_rewarded: false,
    created_at: '2026-11-28T03:00:58.447Z',
    expires_at: '2026-11-28T03:10:58.447Z',
    linked_at: '2026-11-28T03:01:40.120Z',
  },
  key: ({ link_id }) => ({ client_id: OPERATOR_CLIENT_ID, id: objectId('sbl', link_id) }),
  show: (link) => ({ userx_id: link.userx_id, ...shownSocialLink(link) }),
}).events('social_link', {
  linked: 'A member has linked an account at a messenger',
  unlinked: 'A member has unlinked it, or has deleted their account',
  rejected: 'The account or the member has said no',
});

export const SOCIAL_LINK_EVENTS = links.types;
export const emitSocialLink = links.emit;
