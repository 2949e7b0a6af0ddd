/**
 * Templates of existing sites: text with ERB tags whose code is a small Ruby-like language. A template can access only what
 * it is given, and is stopped at a budget.
 */
export { TemplateError } from './error.ts'
export { Float } from './float.ts'
export { createReader } from './given.ts'
export { isTemplate } from './parser/scan.ts'
export { type OpenRecords, renderPortions } from './portions.ts'
export { compile, listFunctions, type Options, render, renderLoading, type Template } from './render.ts'
export { Hash, HostObject, type HostValue, Sym, type TemplateFunction } from './values.ts'
