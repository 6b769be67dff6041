import { UUID } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const PARTNER_CUSTOMERS_WORDS: FeatureWords = {
  tags: {
    partnerCustomers: {
      group: 'Verification',
      text: 'A verified user as a customer of the partner that moves their money.',
    },
  },
  titles: {
    'partnerCustomers.getStatus': 'Get a partner customer',
    'partnerCustomers.syncStatus': 'Synchronise a partner customer',
    'partnerCustomers.getLinks': 'Get links of a partner customer',
    'partnerCustomers.getMode': 'Get the mode of the partner',
    'callbacks.receivePartner': 'Webhook of the partner',
  },
  descriptions: {
    'partnerCustomers.create':
      'Users register themselves; an admin may do it for a person of the own client. The customer is made at the partner once, however often it is called. `partner_customer.created` follows.',
    'partnerCustomers.getStatus':
      'Users read their own status; an admin reads that of the people of the own client. Each call looks the customer up at the partner.',
    'partnerCustomers.syncStatus':
      'Users do it for themselves, an admin for the people of the own client. `changes_detected` lists what differs from the last time; `partner_customer.updated` follows where something does.',
    'partnerCustomers.getLinks':
      'Users read their own links; an admin reads those of the people of the own client. The person opens both in a browser; the partner does not verify the person before.',
    'callbacks.receivePartner':
      'The partner calls it when a customer has changed there. How the customer stands is then looked up; `partner_customer.updated` follows where something differs.',
    'partnerCustomers.getMode': 'Any logged-in user may call it.',
  },
  places: {
    'PartnerAccount.status': 'active',
    'PartnerCapability.status': 'active',
    'partnerCustomers.create.status': 'not_started',
    'partnerCustomers.getStatus.status': 'active',
    'partnerCustomers.syncStatus.field': 'status',
    'PartnerAccount.id': UUID,
    'PartnerAccount.type': 'individual',
    'PartnerCapability.id': 'cap_send_funds',
    'partnerCustomers.create.id': UUID,
    'partnerCustomers.create.type': 'individual',
    'partnerCustomers.getStatus.id': UUID,
    'partnerCustomers.getStatus.type': 'individual',
    'partnerCustomers.getMode.mode': 'sandbox',
    'partnerCustomers.getLinks.tos_link': 'https://dashboard.bridge.xyz/accept-terms-of-service',
    'partnerCustomers.getLinks.kyc_link': 'https://bridge.withpersona.com/verify',
  },
  answers: [
    [/^risk_assessment$/, 'low'],
    [/^sync_status$/, 'success'],
    [/^signed_agreement_id$/, UUID],
  ],
};
