import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const MEMBER = 'The token of `POST /xusers/login` instead of a user’s';

const PLATFORMS = { telegram: 'Our bot at Telegram', whatsapp: 'Our number at WhatsApp' };
const STATUSES = {
  PENDING: 'The code was not written to the bot yet',
  ASKED: 'The bot has asked the account that wrote it',
  CONFIRMING: 'The account has said yes; the member has to confirm',
  LINKED: 'Linked',
  REJECTED: 'The account or the member has said no',
  CONFLICT: 'The account, or another one of the member, is linked already',
  UNLINKED: 'It was linked before',
};

/** What the reference says of this feature beside its declarations. */
export const SOCIAL_BOT_WORDS: FeatureWords = {
  tags: {
    socialbot: {
      group: 'Rewards',
      title: 'Social bots',
      text: 'Accounts at Telegram and WhatsApp, which members link by a bot: the account says which member it is, the member says which account it is, and only then it is linked and rewarded.',
    },
  },
  titles: {
    'socialbot.start': 'Start to link an account',
    'socialbot.listLinks': 'List links',
    'socialbot.getLink': 'Get a link',
    'socialbot.getStatus': 'Get the linked accounts',
    'socialbot.confirmLink': 'Confirm a link',
    'socialbot.rejectLink': 'Reject a link',
    'socialbot.unlink': 'Unlink an account',
    'callbacks.receiveTelegram': 'Webhook of the Telegram bot',
    'callbacks.registerBot': 'Register the webhook of the WhatsApp bot',
    'callbacks.receiveBot': 'Webhook of the WhatsApp bot',
  },
  descriptions: {
    'socialbot.start':
      'A new link ends the open one before. The member opens `bot_link`, or writes `code` to the bot; the bot asks whether to link that account to the member (`ASKED`), and after a yes (`CONFIRMING`) the app confirms. Ten starts within 24 hours.',
    'socialbot.confirmLink':
      'Possible in `CONFIRMING`. The platform is rewarded as `POST /xsocial/claim` does by its name, once for ever; a platform that is none of the four pays nothing. An account that another member has linked, and a second account of a member, are `CONFLICT`. `social_link.linked` follows.',
    'socialbot.rejectLink': 'Possible in `CONFIRMING`. `social_link.rejected` follows.',
    'socialbot.unlink':
      'The account can be linked again, by any member. `social_link.unlinked` follows.',
    'callbacks.receiveTelegram':
      'The answer is what the bot says, as a method of the Bot API. An update counts once by its `update_id`, and a repetition gets the same answer.',
    'callbacks.registerBot':
      'Meta calls it when the webhook is entered in the app’s settings; the challenge comes back as it was sent.',
    'callbacks.receiveBot':
      'People’s messages and buttons, and what became of our own messages. A message counts once by its id.',
  },
  values: {
    'SocialLink.platform': PLATFORMS,
    'SocialLinkEventData.platform': PLATFORMS,
    'socialbot.start.platform': PLATFORMS,
    'SocialLink.status': STATUSES,
    'SocialLinkEventData.status': STATUSES,
  },
  places: {
    'SocialAccount.display_name': 'Ada',
    'SocialAccount.handle': '@a•••e',
    'socialbot.start.code': 'K9J868EC',
    'socialbot.start.bot_link': 'https://t.me/archipay_bot?start=K9J868EC',
  },
  origins: [
    [/^socialbot\.\w+\.link_id$/, 'socialbot.start'],
    [/^socialbot\.\w+$/, MEMBER],
  ],
};
