import { codeTable } from '../code-table.ts';
import type { CustomerStatus, PartnerCustomer } from './port.ts';

const SOURCE = 'https://apidocs.bridge.xyz/platform/customers/customers/api (status)';

/** The provider's words for a customer, and what the contract calls them. */
export const PARTNER_STATUSES = codeTable<CustomerStatus>({
  source: SOURCE,
  read: null,
  meanings: {
    not_started: 'not_started',
    incomplete: 'pending_verification',
    awaiting_questionnaire: 'pending_verification',
    awaiting_ubo: 'pending_verification',
    under_review: 'pending_verification',
    active: 'verified',
    approved: 'verified',
    paused: 'pending_verification',
    rejected: 'rejected',
    offboarded: 'rejected',
  },
});

export const PARTNER_KYC = codeTable<PartnerCustomer['kyc_status']>({
  source: SOURCE,
  read: null,
  meanings: {
    not_started: 'not_started',
    incomplete: 'incomplete',
    awaiting_questionnaire: 'incomplete',
    awaiting_ubo: 'incomplete',
    under_review: 'under_review',
    active: 'approved',
    approved: 'approved',
    paused: 'under_review',
    rejected: 'rejected',
    offboarded: 'rejected',
  },
});
