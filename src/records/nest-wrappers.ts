import type { Fields, WriteWrapper } from '../kernel/index.ts'

/** Nests several write wrappers of one resource, the first outermost; the innermost `next` is the write itself. */
export function nestWrappers<F extends Fields>(...arounds: readonly WriteWrapper<F>[]): WriteWrapper<F>
export function nestWrappers(...arounds: readonly WriteWrapper[]): WriteWrapper {
  const nested = arounds.reduceRight<Writes>((inner, outer) => nest({ ...PLAIN, ...outer }, inner), PLAIN)
  return arounds.every(({ create, keepsCreated }) => !create || keepsCreated)
    ? { ...nested, keepsCreated: true }
    : nested
}

type Writes = Required<Pick<WriteWrapper, 'create' | 'update' | 'delete'>>

/** Adds nothing to the write. */
const PLAIN: Writes = {
  create: (_ctx, draft, next) => next(draft),
  update: (_ctx, _stored, draft, next) => next(draft),
  delete: (_ctx, _stored, next) => next(),
}

function nest(outer: Writes, inner: Writes): Writes {
  return {
    create: (ctx, draft, next, resource) =>
      outer.create(ctx, draft, (changed) => inner.create(ctx, changed, next, resource), resource),
    update: (ctx, stored, draft, next, resource) =>
      outer.update(ctx, stored, draft, (changed) => inner.update(ctx, stored, changed, next, resource), resource),
    delete: (ctx, stored, next, resource) =>
      outer.delete(ctx, stored, () => inner.delete(ctx, stored, next, resource), resource),
  }
}
