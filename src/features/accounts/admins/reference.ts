import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const ADMINS_WORDS: FeatureWords = {
  tags: {
    admins: {
      group: 'People',
      text: 'What admins do for the people of their client, and what of that is on record.',
    },
  },
  titles: {
    'admins.approveKyc': 'Approve a verification',
    'admins.getUser': 'Get a user as an admin',
    'admins.audit': 'List actions of admins',
    'admins.removeSecondFactor': 'Remove a lost second factor',
    'admins.moveAddress': 'Change a lost e-mail address',
  },
  descriptions: {
    'admins.list': 'An admin sees the admins of the own client.',
    'admins.createUser':
      'An admin creates people of the own client, the operator those of any client. The person is verified and active at once, gets the temporary password and a link to confirm the address by mail, and should change the password within 72 hours. For Indonesia a customer at the payment service provider is made as well; `psp_a_integration` shows how far that is, and a job continues it where the provider does not answer. `user.created` follows.',
    'admins.approveKyc':
      'An admin approves people of the own client, the operator everybody. A person who is approved already is answered the same way and nothing changes; a rejected one is 404. `verification.approved` and `user.activated` follow. A stopped person stays stopped.',
    'admins.getUser': 'An admin reads the people of the own client, the operator everybody.',
    'admins.audit':
      'An admin reads what was done to the own client and its people, reasons included; the operator reads it of all clients. Entries are never changed or deleted.',
    'admins.moveAddress':
      'Only an admin of the operator may call it, with a reason and a proof. The change takes effect after 24 hours (in mock mode at once). Until then the user can stop it or have it at once by the link that goes to the old address, and the operator can stop it. Then the new address has to be confirmed, and the password can be reset.',
  },
  places: {
    'AdministeredUser.status': 'ACTIVE',
    'ListedAdmin.kyc_status': 'APPROVED',
    'AuditEntry.action': 'CARD_TOPUP',
  },
  origins: [
    [/^admins\.removeSecondFactor$/, 'The second factor that is lost: the demo’s user has none'],
  ],
  answers: [[/^temp_password$/, 'kF7pQ2vXtM']],
};
