import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { scope } from '#kernel/http/declare/scope.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { chatPages } from './chat-page.ts';
import { CHAT_PLATFORMS, type ChatPlatform, chatOf } from './chats.ts';
import { type AllPeople, buttonOf, PressedButton, type Written, WrittenMessage } from './people.ts';

interface Named {
  Params: { platform: string };
}

/** `POST /social/{platform}/messages` and `/press`, and the chats as they are seen: for programs and for people. */
export const socialControls = (people: AllPeople): Simulator => ({
  provider: 'social',
  prefix: '/social',
  controls(server, world) {
    scope(server, 'social controls', (own) => jsonControls(own, world, people));
    chatPages(server, world, people);
  },
});

function jsonControls(server: FastifyInstance, world: World, people: AllPeople): void {
  const known = (platform: string): platform is ChatPlatform =>
    (CHAT_PLATFORMS as readonly string[]).includes(platform);
  const none = { error: 'No such platform; there are telegram, whatsapp', code: 'NOT_FOUND' };

  server.post<Named & { Body: Written }>(
    '/social/:platform/messages',
    { schema: { body: WrittenMessage } },
    async ({ params: { platform }, body }, reply) => {
      if (!known(platform)) return reply.code(404).send(none);
      return { taken: await people[platform].write(world, body) };
    },
  );

  server.post<Named & { Body: Static<typeof PressedButton> }>(
    '/social/:platform/press',
    { schema: { body: PressedButton } },
    async ({ params: { platform }, body: { from, button } }, reply) => {
      if (!known(platform)) return reply.code(404).send(none);
      const pressed = { from, button: await buttonOf(world, platform, from, button) };
      return { taken: await people[platform].press(world, pressed) };
    },
  );

  server.get<Named & { Querystring: { from?: string } }>(
    '/social/:platform/chat',
    async ({ params: { platform }, query: { from = '' } }, reply) => {
      if (!known(platform)) return reply.code(404).send(none);
      return chatOf(world, platform, from);
    },
  );
}
