import { expect, test } from 'vitest'
import { splitServers } from '../../src/database/primary.ts'

test.each([
  ['postgresql://m@a/m', ['postgresql://m@a/m']],
  ['postgresql://m@/m?host=/run/postgresql&target_session_attrs=primary', null],
  [
    'postgresql://m:p%40,ss@a:5432,b:5433/m?sslmode=require&target_session_attrs=read-write',
    ['postgresql://m:p%40,ss@a:5432/m?sslmode=require', 'postgresql://m:p%40,ss@b:5433/m?sslmode=require'],
  ],
  ['postgresql://m@a,b/m?port=5000', ['postgresql://m@a/m?port=5000', 'postgresql://m@b/m?port=5000']],
  ['postgresql://m@[::1]:5432,[::2]/m', ['postgresql://m@[::1]:5432/m', 'postgresql://m@[::2]/m']],
  [
    'postgresql://m@/m?host=/x,/y&port=1,2',
    ['postgresql://m@/m?host=%2Fx&port=1', 'postgresql://m@/m?host=%2Fy&port=2'],
  ],
])('%s is split as libpq does', (url, servers) => {
  expect(splitServers(url)).toEqual(servers ?? [url])
})
