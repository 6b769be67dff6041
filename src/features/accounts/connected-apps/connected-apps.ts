import type { Feature } from '#kernel/feature.ts';
import type { Page } from '#kernel/http/pages/pages.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import { readAsk } from './ask.ts';
import { amissPage, consentPage, unknownPage } from './consent-page.ts';
import type { ConnectedAppDeps } from './deps.ts';
import { appGrantRoutes } from './grant-routes.ts';
import { AUTHORIZE_PAGE, metadataFiles } from './metadata.ts';
import { CONNECTED_APP_PERSON_DATA } from './person-data.ts';
import { CONNECTED_APP_WORDS } from './reference.ts';
import { askIn, connectedAppRoutes } from './routes.ts';
import { forgetApps } from './store.ts';

export type { AppScope } from './scopes.ts';

/** Programs of others that people let in, by OAuth. */
export const createConnectedApps = (deps: ConnectedAppDeps): Feature => ({
  name: 'connected-apps',
  personData: CONNECTED_APP_PERSON_DATA,
  reference: CONNECTED_APP_WORDS,
  routes: [...connectedAppRoutes(deps), ...appGrantRoutes(deps)],
  pages: [authorizePage(deps), ...metadataFiles(deps.publicUrl)],
  schedules: [forgetSchedule(deps)],
});

const authorizePage = (deps: ConnectedAppDeps): Page => ({
  path: AUTHORIZE_PAGE,
  async render(query, language) {
    const sent = askIn(query);
    const ask = await readAsk(deps, sent);
    if ('unknown' in ask) return unknownPage(ask, language);
    if ('wrong' in ask) return amissPage(ask, language);
    return consentPage(ask, language, { sent });
  },
});

const forgetSchedule = ({ db, clock }: Pick<ConnectedAppDeps, 'db' | 'clock'>) =>
  defineSchedule({
    name: 'connected-apps.forget',
    cron: '41 * * * *',
    run: () => forgetApps(db, clock.now()),
  });
