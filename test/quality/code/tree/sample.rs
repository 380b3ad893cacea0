//! Crate text: fn fake() {}
use std::fmt;

/// A stack.
#[derive(Debug, Clone)]
pub struct Stack<'a, T: 'a + ?Sized> where T: fmt::Debug {
    items: Vec<&'a T>,
}
struct Unit;
struct Tuple(pub i32, String);
pub(crate) enum Shape { Circle { r: f64 }, Square(f64), Empty }
union Bits { f: f32, u: u32 }

pub trait Area: Send {
    type Output;
    const N: usize = 1;
    fn area(&self) -> f64;
    fn twice(&self) -> f64 { self.area() * 2.0 }
}

impl<'a, T> Stack<'a, T> where T: fmt::Debug {
    #[inline]
    pub const fn new() -> Self { Self { items: Vec::new() } }
    pub async unsafe fn push<F>(&mut self, f: F) -> Result<(), Box<dyn Fn(i32) -> i32>>
    where
        F: FnOnce(),
    {
        fn inner() { /* fn in_comment() {} */ }
        let s = r#"fn in_raw() { struct Fake; }"#;
        let closure = |x: i32| x + 1;
        Ok(())
    }
}

impl<T> fmt::Display for Stack<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "struct Fake {{}}") }
}

mod inner {
    pub mod deeper { pub fn deep<const N: usize>() -> [u8; N] { [0; N] } }
    type Alias<T> = Vec<T>;
}

macro_rules! make { ($n:ident) => { fn $n() {} }; }
extern "C" { fn external(a: i32) -> i32; }
pub extern "C" fn exported() {}
static mut GLOBAL: i32 = 1;
const LIMIT: usize = 3;
#[cfg(test)]
mod tests { #[test] fn works() {} }
