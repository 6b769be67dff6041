import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#kernel/clock.ts';
import type { Callbacks } from './callbacks.ts';
import type { Faults } from './faults.ts';
import type { Records } from './records.ts';

/** What every simulator stands on. */
export interface World {
  /** What the simulated providers remember: in the service's database, apart from its tables. */
  readonly records: Records;
  readonly faults: Faults;
  /** Delivers call-backs to the service, with the fault that was asked for. */
  readonly callbacks: Callbacks;
  readonly clock: Clock;
  /** The service's base address, `http://localhost:3000/api`. */
  serviceUrl(): string;
  /** The sandbox's own address, `http://localhost:3001`. */
  sandboxUrl(): string;
}

/** One provider, speaking its own wire format under its own path prefix. */
export interface Simulator {
  /** The provider's name in `POST /faults`. */
  readonly provider: string;
  /** `/card-network`: where its adapter's base URL points to. */
  readonly prefix: string;
  /** Where it is reached, when it speaks something else than HTTP. */
  url?(): string;
  /** A refusal in the provider's own form, for the faults that are answered; a plain one without it. */
  refusal?(status: number, code: string, message: string): object;
  /** Registers the provider's own endpoints; paths are relative to the prefix. */
  wire?(server: FastifyInstance, world: World): void;
  /** Registers the controls that people and tests use; paths are absolute. */
  controls?(server: FastifyInstance, world: World): void;
  /** Takes a WebSocket that was asked for at exactly the prefix. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Runs something that is not HTTP, such as a mail server; answers how to stop it. */
  start?(world: World): Promise<() => Promise<void>>;
}
