import { type Static, Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { objectId } from '#kernel/object-id.ts';
import { BOT_PLATFORMS } from '#providers/messages/port.ts';
import {
  OPEN_LINK,
  SOCIAL_LINK_STATUSES,
  type SocialLink,
  type SocialLinkStatus,
} from './link-store.ts';

const SocialAccount = named('SocialAccount', {
  display_name: explained(TextOrNull, 'As the person calls themselves there'),
  handle: explained(TextOrNull, 'Username or number, masked'),
});

export const SOCIAL_LINK_FIELDS = {
  link_id: objectIdField('sbl'),
  platform: oneOfWords(BOT_PLATFORMS),
  status: oneOfWords(SOCIAL_LINK_STATUSES),
  account: explained(Nullable(SocialAccount), 'Who answered; null before, and a day after the end'),
  points_awarded: explained(Type.Integer(), 'What the link has paid'),
  already_rewarded: explained(Type.Boolean(), 'The platform was rewarded before'),
  created_at: Timestamp,
  expires_at: explained(Timestamp, 'Until then it can be confirmed'),
  linked_at: Nullable(Timestamp),
};
export const ShownSocialLink = named('SocialLink', SOCIAL_LINK_FIELDS);

/** Of a member: what is linked at each platform. */
export const SocialLinks = named('SocialStatus', {
  telegram: explained(Nullable(ShownSocialLink), 'The account that is linked at Telegram'),
  whatsapp: explained(Nullable(ShownSocialLink), 'The account that is linked at WhatsApp'),
});

export function shownSocialLink(link: SocialLink, now?: Date): Static<typeof ShownSocialLink> {
  const { link_id, platform, account_id, display_name, handle } = link;
  return {
    link_id: objectId('sbl', link_id),
    platform,
    status: statusAt(link, now),
    account: account_id === null ? null : { display_name, handle },
    points_awarded: link.points_awarded,
    already_rewarded: link.already_rewarded,
    created_at: link.created_at,
    expires_at: link.expires_at,
    linked_at: link.linked_at,
  };
}

const isOpenStatus = (status: SocialLinkStatus): boolean =>
  (OPEN_LINK as readonly string[]).includes(status);

/** One whose time is over is EXPIRED, also before the clean-up comes to it. */
export const statusAt = (
  { status, expires_at }: Pick<SocialLink, 'status' | 'expires_at'>,
  now?: Date,
): SocialLinkStatus =>
  now !== undefined && isOpenStatus(status) && new Date(expires_at) <= now ? 'EXPIRED' : status;
