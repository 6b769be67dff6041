import {
  context,
  isSpanContextValid,
  propagation,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Asked for each time: a tracer stays with the provider that it was first used with. */
const tracer = () => trace.getTracer('archipay');

/** Whether spans go anywhere: without a provider they have no valid context. */
export const isTracing = (): boolean =>
  isSpanContextValid(tracer().startSpan('listening').spanContext());

/** Of the trace that this is a part of; nothing while no exporter is configured. */
export const traceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

/** Runs `work` in a span; costs nothing measurable while no exporter is configured. */
export async function inSpan<T>(
  name: string,
  work: () => Promise<T>,
  attributes: Readonly<Record<string, string | number>> = {},
): Promise<T> {
  return tracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // The error's class only: messages may carry what a caller sent.
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The headers that carry the trace on to the next system. */
export function outgoingTrace(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
