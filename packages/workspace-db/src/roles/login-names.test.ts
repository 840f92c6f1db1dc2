import { expect, test } from 'vitest'
import { buildLoginName, isLoginName, toNumberedName, toRotatedName } from './login-names.ts'

test.each([
  [['shop', 'bi', 'Anna'], 'shop_bi_anna'],
  [['shop', 'bi', 'BI Metabase'], 'shop_bi_metabase'],
  [['my-shop', '', 'Zoë Müller'], 'my_shop_zoe_muller'],
  [['Straße', 'reader', 'Łukasz'], 'strasse_reader_lukasz'],
  [['shop', '', '王'], 'shop_login'],
  [['', '', ''], 'login'],
  [['2nd', 'bi', 'x'], 'db_2nd_bi_x'],
  [['w', 'bi', 'Tom'], 'db_w_bi_tom'],
  [['pg', 'admin', 'x'], 'db_pg_admin_x'],
  [['trellis', '', 'app'], 'db_trellis_app'],
  [['current', '', 'user'], 'db_current_user'],
  [["'; drop role x; --", 'bi', '$(id)'], 'drop_role_x_bi_id'],
])('%j is called %s', (parts, name) => {
  expect(buildLoginName(parts)).toBe(name)
})

test('every name that is built can be used, also with a number and after a rotation', () => {
  const odd = ['', 'w', 'pg_', 'x'.repeat(80), 'ß'.repeat(40), '__', '1', 'a_'.repeat(40), '😀 ok']
  for (const item of odd) {
    for (const other of odd) {
      const name = toNumberedName(buildLoginName([item, 'analyst', other]), 137)
      expect(isLoginName(name), name).toBe(true)
      expect(Buffer.byteLength(toRotatedName(name))).toBeLessThanOrEqual(63)
    }
  }
})

test.each([
  'anna',
  'all',
  'w_0123456789abcdef_own',
  'w_0123456789abcdef_p_00000001_a',
  'pg_signal_backend',
  'trellis_admin',
  'trellis_external',
  'postgres_x',
  'current_user',
  'shop__b',
  'Shop_anna',
  'shop_änna',
  'shop_anna;',
  'shop_anna\n',
  '_shop',
  `shop_${'a'.repeat(60)}`,
])('%j is no name for a login', (name) => {
  expect(isLoginName(name)).toBe(false)
})
