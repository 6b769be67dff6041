import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadConfig, usesSandbox } from '../src/kernel/config/config.ts';

/** `npm start -- --demo`: once the service is ready, walks every rail in the same terminal. The service stays up after it. */

const ASK_EVERY_MS = 250;
const DEMO = fileURLToPath(new URL('../demo/demo.ts', import.meta.url));
const RUN = fileURLToPath(new URL('./run.mjs', import.meta.url));

export async function walkWhenReady(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const config = loadConfig(env);
  if (!usesSandbox(config)) {
    console.error('--demo needs the sandbox, which production does not have.');
    return;
  }
  while (!(await isReady(config.PORT)))
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  const walk = spawn(process.execPath, [RUN, DEMO], { stdio: 'inherit', env });
  // A service stopped in the middle ends its walk.
  process.once('exit', () => walk.kill());
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://localhost:${port}/health/ready`)).ok;
  } catch {
    return false;
  }
}
