/** Devices that come and go with containers and virtual machines, and the one that leads nowhere. */
export const PASSING_DEVICES = [
  'lo',
  'en*v*',
  'usb*',
  'vnet*',
  'macvtap*',
  ';vdsmdummy;',
  'veth*',
  'docker*',
  'tap*',
  'qbr*',
  'qvb*',
  'qvo*',
  'qr-*',
  'qg-*',
  'vlinuxbr*',
  'vovsbr*',
  'br-int',
  'vif*',
  'cali*',
]

/**
 * Names of facts that are not stored unless somebody says so: of passing devices, and measurements that are others each
 * time.
 */
export const EXCLUDED_FACTS = [
  ...PASSING_DEVICES,
  'load_averages::*',
  'memory::swap::available*',
  'memory::swap::capacity',
  'memory::swap::used*',
  'memory::system::available*',
  'memory::system::capacity',
  'memory::system::used*',
  'memoryfree',
  'memoryfree_mb',
  'swapfree',
  'swapfree_mb',
  'uptime_hours',
  'uptime_days',
]
