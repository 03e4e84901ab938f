public typealias CFTypeRef = AnyObject
public typealias CFDictionary = [String: Any]
public typealias OSStatus = Int32

public let kSecClass = "class"
public let kSecClassGenericPassword = "password"
public let kSecAttrService = "service"
public let kSecAttrAccount = "account"
public let kSecReturnData = "data"
public let kSecValueData = "value"
public let kSecAttrAccessible = "accessible"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "after first unlock"
public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = -25300

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
