import type { Recipe } from './recipe.ts';
import type { Person, Stage } from './stage.ts';
import { codeOf } from './totp.ts';

async function reviewed(stage: Stage, reviewAnswer: 'GREEN' | 'RED'): Promise<void> {
  const person = await stage.person();
  await person.archipay.verification.createLink({ userId: person.user_id });
  await stage.review(person.user_id, reviewAnswer);
}

async function partner(stage: Stage): Promise<void> {
  const { archipay, user_id } = await stage.person();
  const { id } = await archipay.partnerCustomers.create({ user_id });
  await stage.sandbox.call('POST', `/partner/customers/${id}/status`, { status: 'verified' });
  await archipay.partnerCustomers.syncStatus({ user_id });
}

/** Two log-ins of another provider; the one that is not the first can be disconnected. */
async function external(stage: Stage): Promise<void> {
  const { archipay, password: current_password } = await stage.person();
  let ext_user_id = '';
  for (const provider of ['google_oauth', 'apple_oauth']) {
    ext_user_id = `did:demo:${stage.name('who')}`;
    const { token } = await stage.sandbox.call<{ token: string }>('POST', '/extauth/tokens', {
      ext_user_id,
      provider,
      email: `${stage.name('external')}@demo.example`,
    });
    await archipay.externalLogin.link({ ext_token: token, current_password });
  }
  await archipay.externalLogin.disconnect({ ext_user_id, confirmation: 'disconnect' });
}

async function secondFactor(stage: Stage): Promise<void> {
  const { archipay, password } = await stage.person();
  const { data } = await archipay.twoFactor.setUp({ current_password: password });
  const { now } = await stage.sandbox.call<{ now: string }>('GET', '/clock');
  const token = codeOf(data.secret, Date.parse(now));
  await archipay.twoFactor.enable({ token, current_password: password });
  const [backup = ''] = data.backup_codes;
  await archipay.twoFactor.disable({ token: backup, password });
}

/** The code that a change of a profile asks for in live mode. */
async function code(stage: Stage, by: Person): Promise<{ otp_code?: string }> {
  if (stage.isMock) return {};
  const { user_id } = by;
  const { otp } = await by.archipay.users.requestCode({ user_id });
  return { otp_code: otp ?? (await stage.digits(by.phone)) };
}

/** An address that an admin proposes for a user, who has to agree by the link in a mail. */
async function proposed(stage: Stage) {
  const user = await stage.person();
  const admin = await stage.person('admin');
  const changed = await admin.archipay.users.updateProfile({
    user_id: user.user_id,
    email: `${stage.name('new')}@demo.example`,
    current_password: admin.password,
    ...(await code(stage, admin)),
  });
  const token = await stage.tokenOf(user.email, '/confirm-change');
  const change_id = changed.pending_change?.change_id ?? 0;
  return { user, admin, token, change_id };
}

/** Somebody whom an admin has invited, and who has joined. */
async function colleague(stage: Stage) {
  const owner = await stage.person('admin');
  const email = `${stage.name('colleague')}@demo.example`;
  const current_password = owner.password;
  await owner.archipay.team.invite({ email, team_role: 'viewer', current_password });
  const token = await stage.tokenOf(email, '/join-team');
  const password = 'four words of theirs';
  const { data } = await stage
    .application()
    .team.accept({ token, username: stage.name('colleague'), password });
  return { owner, current_password, user_id: data.user_id };
}

export const PEOPLE: readonly Recipe[] = [
  {
    types: ['team_invitation.created', 'team_invitation.accepted', 'team_member.joined'],
    how: 'An admin invites an address to the team, and its owner joins by the link.',
    run: async (stage) => void (await colleague(stage)),
  },
  {
    types: ['team_invitation.revoked'],
    how: 'An admin takes an invitation back.',
    async run(stage) {
      const { archipay, password: current_password } = await stage.person('admin');
      const email = `${stage.name('colleague')}@demo.example`;
      const { data } = await archipay.team.invite({ email, team_role: 'viewer', current_password });
      await archipay.team.revokeInvitation({ invitation_id: data.invitation_id });
    },
  },
  {
    types: ['team_member.role_changed', 'team_member.removed'],
    how: 'An admin gives a colleague another role, and removes them from the team.',
    async run(stage) {
      const { owner, current_password, user_id } = await colleague(stage);
      const { team } = owner.archipay;
      await team.setRole({ user_id, team_role: 'support', current_password });
      await team.remove({ user_id, keys: 'stop', endpoints: 'stop' });
    },
  },
  {
    types: ['user.created', 'session.opened'],
    how: 'An admin makes a user, who logs in with the password from the mail.',
    run: async (stage) => void (await stage.person()),
  },
  {
    types: ['user.updated'],
    how: 'A user changes the own name.',
    async run(stage) {
      const person = await stage.person();
      const { archipay, user_id, password: current_password } = person;
      const otp = await code(stage, person);
      const username = stage.name('renamed');
      await archipay.users.updateProfile({ user_id, username, current_password, ...otp });
    },
  },
  {
    types: ['session.revoked'],
    how: 'A user with two log-ins ends the others.',
    async run(stage) {
      const { archipay, email, password } = await stage.person();
      await stage.logIn(email, password);
      await archipay.sessions.endOthers();
    },
  },
  {
    types: ['user.stopped', 'user.let_in'],
    how: 'An admin stops a user, and lets them in again.',
    async run(stage) {
      const { user_id } = await stage.person();
      const { archipay } = await stage.person('admin');
      await archipay.admins.stopUser({ user_id, reason: 'A trigger' });
      await archipay.admins.letUserIn({ user_id, reason: 'A trigger' });
    },
  },
  {
    types: ['user.closing', 'user.closing_cancelled'],
    how: 'A user closes the account, and keeps it.',
    async run(stage) {
      const { archipay, password } = await stage.person();
      await archipay.profile.close({ current_password: password });
      await archipay.profile.cancelClosing();
    },
  },
  {
    types: ['user.erased'],
    how: 'A user closes the account; 14 days later it is erased.',
    movesClock: true,
    async run(stage) {
      const { archipay, password } = await stage.person();
      await archipay.profile.close({ current_password: password });
      await stage.clock(15 * 86_400);
    },
  },
  {
    types: ['two_factor.enabled', 'two_factor.disabled'],
    how: 'A user sets an authenticator up, and takes it off by a backup code.',
    run: secondFactor,
  },
  {
    types: ['verification.approved'],
    how: 'A user begins a verification; the sandbox’s reviewer agrees.',
    run: (stage) => reviewed(stage, 'GREEN'),
  },
  {
    types: ['verification.rejected'],
    how: 'A user begins a verification; the sandbox’s reviewer refuses.',
    run: (stage) => reviewed(stage, 'RED'),
  },
  {
    types: ['external_identity.linked', 'external_identity.unlinked'],
    how: 'A user links the log-in of another provider, and disconnects it.',
    run: external,
  },
  {
    types: ['partner_customer.created', 'partner_customer.updated'],
    how: 'A user becomes a customer of the partner, whose staff verifies them.',
    run: partner,
  },
  {
    types: ['member.joined', 'reward.granted'],
    how: 'A member logs in to the rewards app for the first time.',
    isOperators: true,
    async run(stage) {
      const phone = `+1${String(Date.now()).slice(-10)}`;
      await stage.application().rewards.logIn({ phone });
    },
  },
  {
    types: ['social_link.linked', 'social_link.unlinked'],
    how: 'A member writes the code to the Telegram bot, says yes, confirms in the app, and unlinks.',
    isOperators: true,
    async run(stage) {
      const { member, link_id } = await answeredLink(stage, 'Yes');
      await member.socialbot.confirmLink({ link_id });
      await member.socialbot.unlink({ link_id });
    },
  },
  {
    types: ['social_link.rejected'],
    how: 'A member writes the code to the Telegram bot, and says no to its question.',
    isOperators: true,
    run: async (stage) => void (await answeredLink(stage, 'No')),
  },
  {
    types: ['pending_change.proposed', 'pending_change.withdrawn'],
    mode: 'live',
    how: 'An admin proposes another address for a user, and withdraws it.',
    async run(stage) {
      const { user, admin, change_id } = await proposed(stage);
      await admin.archipay.users.cancelChange({ user_id: user.user_id, change_id });
    },
  },
  {
    types: ['pending_change.confirmed'],
    mode: 'live',
    how: 'An admin proposes another address for a user, who agrees by the link in the mail.',
    async run(stage) {
      const { token } = await proposed(stage);
      await stage.application().users.confirmChange({ token, decision: 'confirm' });
    },
  },
  {
    types: ['pending_change.refused'],
    mode: 'live',
    how: 'An admin proposes another address for a user, who refuses by the link in the mail.',
    async run(stage) {
      const { token } = await proposed(stage);
      await stage.application().users.confirmChange({ token, decision: 'refuse' });
    },
  },
];

/** A new member's link, whose question by the bot a person has answered. */
async function answeredLink(stage: Stage, button: 'Yes' | 'No') {
  const from = String(Date.now()).slice(-10).replace(/^0/, '7');
  const { token } = await stage.application().rewards.logIn({ phone: `+1202${from.slice(-7)}` });
  const member = stage.application().as(token);
  const { data } = await member.socialbot.start({ platform: 'telegram' });
  const person = { from, name: 'Ada' };
  await stage.sandbox.call('POST', '/social/telegram/messages', { ...person, text: data.code });
  await stage.sandbox.call('POST', '/social/telegram/press', { from, button });
  return { member, link_id: data.link_id };
}
