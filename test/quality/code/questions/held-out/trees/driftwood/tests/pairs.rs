#[path = "../src/parse/pairs.rs"]
mod pairs;

#[test]
fn quoted_value_keeps_its_blanks() {
    let found = pairs::parse("level=info msg=\"two words\"").unwrap();
    assert_eq!(found[1].1, "two words");
}

#[test]
fn prose_is_not_a_pair() {
    assert!(pairs::parse("server started").is_none());
}
