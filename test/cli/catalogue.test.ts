import { expect, test } from 'vitest';
import { causedTypes, NOT_CAUSED, recipeOf } from '#cli/recipes/recipes.ts';
import { EXAMPLES } from '#sdk/examples.generated.ts';

test('each event of the catalogue can be caused, or it is said why not', () => {
  const known = [...causedTypes(), ...Object.keys(NOT_CAUSED)];
  expect([...known].sort()).toEqual(Object.keys(EXAMPLES).sort());
  expect(Object.keys(NOT_CAUSED).length).toBeLessThanOrEqual(60);
});

test('each type has one recipe', () => {
  const types = causedTypes();
  expect(new Set(types).size).toBe(types.length);
  expect(types.map((type) => recipeOf(type)?.how).every((how) => how?.endsWith('.'))).toBe(true);
});
