// Long: every event of the catalogue is caused, in both modes.

import { describe, expect, test } from 'vitest';
import type { Recipe } from '#cli/recipes/recipe.ts';
import { RECIPES } from '#cli/recipes/recipes.ts';
import { Stage } from '#cli/recipes/stage.ts';
import { Sandbox } from '#cli/sandbox.ts';
import { Archipay } from '#sdk/archipay.ts';
import { DEMO, seed } from '#src/app/seed.ts';
import { harness } from '../harness.ts';

const only = process.env['RECIPES'];
for (const mock of [true, false])
  describe(mock ? 'in mock mode' : 'in live mode', async () => {
    const h = await harness({ mock, config: { ROLE: 'all' } });
    await seed(h.kernel, h.app.features.afterUser);
    const own = { baseUrl: h.app.apiUrl(), apiKey: DEMO.apiKey };
    const logIn = async ({ email, password }: { email: string; password: string }) => {
      const { data } = await new Archipay(own).auth.logIn({ usernameoremail: email, password });
      if (!('token' in data)) return expect.fail('A code is asked for');
      return { archipay: new Archipay(own).as(data.token), user_id: data.user.user_id };
    };
    /** Log-ins of now: a recipe may have moved the clock beyond the end of earlier ones. */
    async function staged() {
      const admin = await logIn(DEMO.admin);
      const operator = await logIn(DEMO.operator);
      const stage = new Stage({
        url: h.kernel.publicUrl(),
        apiKey: DEMO.apiKey,
        admin: admin.archipay,
        admin_id: admin.user_id,
        client_id: 2,
        sandbox: new Sandbox(h.app.sandboxUrl()),
        isMock: mock,
      });
      const told = async (type: string) =>
        (await operator.archipay.events.list({ type, limit: 100 })).data.events;
      return { stage, told };
    }

    const fits = ({ mode }: Recipe) => mode === undefined || (mode === 'mock') === mock;
    const inOrder = RECIPES.filter(fits).sort(
      (a, b) => Number(a.movesClock ?? 0) - Number(b.movesClock ?? 0),
    );
    for (const recipe of inOrder) {
      if (only && !recipe.types.some((t) => new RegExp(only).test(t))) continue;
      // A recipe is a walk of up to twenty calls by a program that waits for jobs; it may be walked once more.
      test(recipe.types.join(', '), { retry: 1 }, async () => {
        // Money of an earlier recipe may be on its way back still, and a conversion compares balances.
        await h.drain();
        const { stage, told } = await staged();
        const before = new Set<string>();
        for (const type of recipe.types) for (const { id } of await told(type)) before.add(id);
        await recipe.run(stage);
        const { told: now } = recipe.movesClock ? await staged() : { told };
        for (const type of recipe.types)
          await stage.until(type, async () =>
            (await now(type)).some(
              ({ id, client_id }) => !before.has(id) && (recipe.isOperators || client_id === 2),
            ),
          );
      });
    }
  });
