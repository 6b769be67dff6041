import type { Feature } from '#kernel/feature.ts';
import { STEP_UP_PERSON_DATA } from './person-data.ts';
import { STEP_UP_WORDS } from './reference.ts';
import { type StepUpDeps, stepUpRoute } from './routes.ts';

/** Proofs of single operations, that policies ask for. */
export const createStepUp = (deps: StepUpDeps): Feature => ({
  name: 'step-up',
  personData: STEP_UP_PERSON_DATA,
  reference: STEP_UP_WORDS,
  routes: [stepUpRoute(deps)],
});
