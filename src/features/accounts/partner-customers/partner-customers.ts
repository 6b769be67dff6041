import type { Feature } from '#kernel/feature.ts';
import { PARTNER_EVENTS } from './events.ts';
import { createOnboarding, type OnboardDeps } from './onboard.ts';
import { PARTNER_CUSTOMERS_PERSON_DATA } from './person-data.ts';
import { PARTNER_CUSTOMERS_WORDS } from './reference.ts';
import { partnerRoutes } from './routes.ts';
import { createPartnerWebhook, type PartnerWebhookDeps } from './webhook-routes.ts';

/** Customers of the partner PSP. */
export function createPartnerCustomers(deps: OnboardDeps & PartnerWebhookDeps): Feature {
  const { onboard, effect } = createOnboarding(deps);
  const webhook = createPartnerWebhook(deps);
  const routes = [...partnerRoutes({ ...deps, onboard }), webhook.route];
  return {
    name: 'partner-customers',
    personData: PARTNER_CUSTOMERS_PERSON_DATA,
    reference: PARTNER_CUSTOMERS_WORDS,
    routes,
    effects: [effect],
    inboxes: [webhook.inbox],
    events: PARTNER_EVENTS,
  };
}
