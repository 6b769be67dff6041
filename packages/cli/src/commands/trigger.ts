import type { Archipay } from '../../../sdk/src/archipay.ts';
import { type Command, EXIT, Failure, type Given, UsageError, wordAt } from '../command.ts';
import type { Recipe } from '../recipes/recipe.ts';
import { causedTypes, NOT_CAUSED, recipeOf } from '../recipes/recipes.ts';
import { Stage } from '../recipes/stage.ts';
import type { Session } from '../session.ts';
import { me } from './login.ts';

const WANTED = 50;

export const trigger: Command = {
  name: 'trigger',
  summary: 'Causes an event in the sandbox by the calls that lead to it, and shows it',
  usage: 'TYPE | --list',
  options: {
    list: { type: 'boolean', help: 'what can be caused, and how' },
    'dry-run': { type: 'boolean', help: 'says what would happen, and does nothing' },
    'move-clock': { type: 'boolean', help: 'allows that the clock of the service is moved' },
  },
  complete: (words) => (words.length <= 1 ? causedTypes() : []),
  async run(session, given) {
    if (given.has('list')) return list(session);
    const type = wordAt(given, 0, 'TYPE');
    const recipe = recipeFor(type);
    if (given.has('dry-run')) {
      session.output.thing({ type, how: recipe.how, also: recipe.types }, { how: recipe.how });
      return EXIT.ok;
    }
    const stage = await staged(session);
    mayRun(recipe, stage, given);
    // A log-in may end while the clock moves.
    const isOperators = recipe.isOperators === true || recipe.movesClock === true;
    const reader = isOperators ? await stage.operator() : stage.admin;
    const known = new Set((await newest(reader, type)).map(({ id }) => id));
    session.output.note(recipe.how);
    await recipe.run(stage);
    const later = recipe.movesClock ? await stage.operator() : reader;
    const event = await stage.until(type, async () =>
      (await newest(later, type)).find(({ id }) => !known.has(id)),
    );
    session.output.thing(event);
    return EXIT.ok;
  },
};

const newest = async (reader: Archipay, type: string) =>
  (await reader.events.list({ type, limit: WANTED })).data.events;

function list({ output }: Session): number {
  const rows = [
    ...causedTypes().map((type) => ({ type, caused: true, how: recipeOf(type)?.how ?? '' })),
    ...Object.entries(NOT_CAUSED).map(([type, how]) => ({ type, caused: false, how })),
  ];
  output.table(rows, ({ type, caused, how }) => ({ type, how: caused ? how : `No: ${how}` }));
  return EXIT.ok;
}

function recipeFor(type: string): Recipe {
  const recipe = recipeOf(type);
  if (recipe) return recipe;
  const why = NOT_CAUSED[type];
  if (why === undefined) throw new UsageError(`There is no event ${type}: archipay trigger --list`);
  throw new Failure('NOT_CAUSED', `${type} cannot be caused from here: ${why}`);
}

function mayRun(recipe: Recipe, { isMock }: Stage, given: Given): void {
  if (recipe.mode !== undefined && (recipe.mode === 'mock') !== isMock) {
    const hint = `Start the service with MOCK_MODE=${recipe.mode === 'mock'}`;
    throw new Failure('OTHER_MODE', `It does not happen in ${isMock ? 'mock' : 'live'} mode`, {
      hint,
    });
  }
  if (recipe.movesClock && !given.has('move-clock')) {
    throw new UsageError('It moves the clock of the service for everybody: --move-clock allows it');
  }
}

async function staged(session: Session): Promise<Stage> {
  const { url, apiKey = '', token } = await session.standing();
  const sandbox = await session.sandbox();
  const admin = await session.person();
  const { user_id, client_id, role } = await me(session, token ?? '');
  if (role !== 'admin') {
    throw new Failure('ADMIN_NEEDED', 'Only an admin makes the people whom a trigger needs', {
      hint: 'archipay login --demo',
    });
  }
  const health = await fetch(`${url}/health/ready`);
  const { mock_mode: isMock } = (await health.json()) as { mock_mode?: boolean };
  const own = { url, apiKey, admin, admin_id: user_id, client_id, sandbox };
  return new Stage({ ...own, isMock: isMock !== false });
}
