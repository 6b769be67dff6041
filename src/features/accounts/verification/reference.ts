import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const VERIFICATION_WORDS: FeatureWords = {
  tags: {
    verification: {
      group: 'Verification',
      text: 'Who somebody is: links and tokens for the identity provider, and how it stands.',
    },
  },
  titles: {
    'callbacks.receiveVerification': 'Webhook of the identity provider',
    'verification.getStatus': 'Get the verification of a user',
    'verification.listHistory': 'List statuses of a verification',
    'verification.createToken': 'Create a token to verify a person',
    'verification.createCompanyToken': 'Create a token to verify a company',
    'verification.createLink': 'Create a link to verify a person',
    'verification.createCompanyLink': 'Create a link to verify a company',
    'verification.changeLevel': 'Change the level of a verification',
    'verification.syncStatus': 'Synchronise a verification',
  },
  descriptions: {
    'verification.getStatus':
      'Users read their own status; an admin reads that of the people of the own client. A person without a verification is `Not yet Submit`.',
    'verification.listHistory':
      'Users read their own history; an admin reads that of the people of the own client. Each entry says where the decision came from.',
    'verification.createToken':
      'Users create it for themselves and hand it to the identity provider’s SDK in their app. The result comes by the provider’s webhook; `verification.approved` or `verification.rejected` follows.',
    'verification.createCompanyToken':
      'Users create it for themselves. The result counts for the client where the user is one of its admins: a verified company makes its client `ACTIVE`.',
    'verification.createLink':
      'Users create it for themselves; an admin may do it for a person of the own client. The person opens the link in a browser. The result comes by the provider’s webhook.',
    'verification.createCompanyLink':
      'Users create it for themselves; an admin may do it for a person of the own client. The result counts for the client where the person is one of its admins.',
    'verification.syncStatus':
      'Anybody may call it, and the answer shows nothing about a person. In mock mode the words of the body count; out of it the platform looks the applicant up at the provider, and the applicant has to be that user’s. It approves and never rejects. `verification.approved` follows where the status has changed.',
  },
  places: {
    'VerificationStep.status': 'APPROVED',
    'VerificationStep.source': 'webhook',
    'verification.createToken.token': '_act-sbx-jwt-eyJhbGciOiJub25lIn0.…',
    'verification.createCompanyToken.token': '_act-sbx-jwt-eyJhbGciOiJub25lIn0.…',
    'verification.syncStatus.applicantId': '63f8a1c2e4b0',
    'verification.syncStatus.reviewStatus': 'completed',
    'verification.syncStatus.reviewAnswer': 'GREEN',
  },
  origins: [[/^verification\.changeLevel$/, 'verification.createToken']],
  answers: [
    [/^reviewAnswer$/, 'GREEN'],
    [/^verification_type$/, 'KYC'],
    [/^applicantId$/, '63f8a1c2e4b0'],
  ],
  meanings: {
    levelName: 'Which checks the identity provider makes, by its name for them',
    applicantId: 'By which the identity provider knows the person',
    reviewStatus: 'How far the identity provider’s review is, in its word',
    reviewAnswer: 'What the review has found: `GREEN` or `RED`',
    verification_type: '`KYC` of a person, `KYB` of a company',
  },
};
