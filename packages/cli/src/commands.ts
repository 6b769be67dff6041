import type { Command } from './command.ts';
import { api } from './commands/api.ts';
import { certify } from './commands/certify.ts';
import { completion } from './commands/completion.ts';
import { events } from './commands/events.ts';
import { listen } from './commands/listen.ts';
import { login, logout, use, whoami } from './commands/login.ts';
import { logs } from './commands/logs.ts';
import { open } from './commands/open.ts';
import { sandbox } from './commands/sandbox.ts';
import { status } from './commands/status.ts';
import { trigger } from './commands/trigger.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  login,
  logout,
  whoami,
  use,
  listen,
  trigger,
  events,
  logs,
  api,
  status,
  open,
  certify,
  sandbox,
  completion,
];
